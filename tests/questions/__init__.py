"""Questions as visitors of portals ask them, each with what a good answer says and cites.

They lie in ``labelled/``, a file of TOML for each portal, to be read and edited by hand. Those of
the guide are asked by `test_guide_questions` as well; the documents of the other portals are not
part of the repository, so their questions are asked where COLLOQUY_EVALUATION names a folder that
has them: ``python -m tests.questions --show all`` prints every answer with its verdict.
"""
