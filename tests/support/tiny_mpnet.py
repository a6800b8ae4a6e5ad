"""Write an MPNet of two layers with random weights, in the form of a sentence encoder."""

from pathlib import Path

from tests.support.tiny_bert import WORDS

__all__ = ["write_tiny_mpnet"]


def write_tiny_mpnet(folder: Path) -> Path:
    """Write ``config.json``, ``tokenizer.json`` and ``model.safetensors``; the weights are always the same."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import MPNetConfig, MPNetModel

    pieces = ["<s>", "<pad>", "</s>", "[UNK]", *map(str, range(10)), *WORDS]
    vocabulary = {piece: at for at, piece in enumerate(pieces)}
    vocabulary |= {f"##{n}": len(pieces) + n for n in range(10)}
    torch.manual_seed(0)
    config = MPNetConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=130,
        pad_token_id=1,
        initializer_range=0.3,  # or it would say nearly the same of all texts
    )
    MPNetModel(config).save_pretrained(folder)
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
