"""How fast askpapers is, beside a bare encode and LangChain's plain pipeline."""
