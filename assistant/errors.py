"""Every error that askpapers raises on purpose.

AskpapersError                       what happened and the command that fixes it, in one sentence
├── LibraryError                     the library folder cannot be used
│   ├── LibraryMissing               there is no library there yet
│   ├── LibraryLocked                another process is writing
│   ├── LibraryIncompatible          made with another encoder, chunking recipe or schema
│   └── LibraryDamaged               its files cannot be read
├── PaperMissing                     no paper has that id
├── SourceError                      an input file cannot be read at all
├── StorageError                     the disk is full or read-only
├── EncoderError                     the encoder cannot be loaded
├── QuestionError                    a questions file or a question cannot be used
├── RunError                         a stored evaluation run cannot be used
├── SettingsError                    a setting has an unusable value
└── ChatModelError                   the chat model cannot answer
    ├── ChatModelUnreachable         nothing listens there
    ├── ChatModelMissing             the model is not pulled
    ├── ChatModelTimeout             it took longer than the limit
    └── ChatModelInterrupted         it stopped in the middle of an answer
"""


class AskpapersError(Exception):
    """Base of all errors; `str(error)` is one plain sentence fit to be shown to a user."""


class LibraryError(AskpapersError):
    """The library folder cannot be used."""


class LibraryMissing(LibraryError):
    """There is no library there yet."""


class LibraryLocked(LibraryError):
    """Another process is writing to the library."""


class LibraryIncompatible(LibraryError):
    """The library was made with another encoder, chunking recipe or schema."""


class LibraryDamaged(LibraryError):
    """The library's files cannot be read."""


class PaperMissing(AskpapersError):
    """No paper in the library has the given id."""


class SourceError(AskpapersError):
    """An input file cannot be read at all."""


class StorageError(AskpapersError):
    """The disk is full or read-only."""


class EncoderError(AskpapersError):
    """The encoder cannot be loaded."""


class QuestionError(AskpapersError):
    """A questions file, or a question in it, cannot be used."""


class RunError(AskpapersError):
    """A stored evaluation run cannot be read, written or gone on with."""


class SettingsError(AskpapersError):
    """A setting has an unusable value."""


class ChatModelError(AskpapersError):
    """The chat model cannot answer."""


class ChatModelUnreachable(ChatModelError):
    """Nothing listens at the chat model's address."""


class ChatModelMissing(ChatModelError):
    """The chat model is not pulled."""


class ChatModelTimeout(ChatModelError):
    """The chat model took longer than the limit."""


class ChatModelInterrupted(ChatModelError):
    """The chat model stopped in the middle of an answer."""
