"""Check the citations of an LLM's answer: are a quote's words in the source, and does their section support the claim?"""
