"""Words that questions are made of, whatever they are about."""

from assistant.text import STOPWORDS, content_stems, stem

FRAME = frozenset(
    content_stems(
        "paper article study work author method approach propose introduce present use many much long deep large "
        "big number amount kind type sort name call reach achieve report get give show find describe do make "
        "exactly actually main specific particular overall average mean really tell explain say mention question "
        "answer abstract according based compare comparison different various new novel first two three four "
        "thing way one help require need allow able apply take value result perform performance test evaluate "
        "evaluation experiment experimental obtain"
    )
)
ORDINARY = frozenset(
    content_stems(
        "able accept across act actual add ago agree almost alone already although always appear area arise ask "
        "avoid away back bad base basic become begin behind believe best better bit break bring build built call "
        "care carry case catch cause certain chance change check choose claim clear close come common complete "
        "concern consider contain continue could count cover create current cut day deal decide deep depend "
        "detail difficult draw early easy effect either else end enough entire especially even ever every exact "
        "example except expect extra face fact fail fall far fast feel field fine fit five follow form free full "
        "further general go goal good great group grow hand handle happen hard hear high hold hope idea identify "
        "important improve include increase indeed instead interest involve issue join just keep key know lack "
        "last late later lead learn least leave let level lie like likely limit line list little look lose lot "
        "low maintain matter may meant measure meet might mind miss most move must near necessary never next nice "
        "normal note nothing now occur offer often old once only open order other part past people perhaps place "
        "plan play please point possible power precise pretty prevent problem produce provide put quick quite "
        "raise range rather read ready real reason recent reduce regard rely remain remember replace rest return "
        "right role run same save see seem select send sense separate serve set several short should side similar "
        "simple since single size slow small so solve something speak special spend stand start state stay step "
        "still stop strong such suffer suggest support suppose sure surprising switch talk task term thank think "
        "through time together top total touch toward treat try turn understand unlike until up usual very view "
        "wait want well whether whole wide will wish within without wonder word world worth would write wrong "
        "wrote year yes yet"
    )
)


def is_ordinary(word: str) -> bool:
    """Tell whether a folded word is so common in questions that it can't be told from a name by itself."""
    return word in STOPWORDS or stem(word) in ORDINARY or stem(word) in FRAME
