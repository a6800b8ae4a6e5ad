"""What a request may change of the configuration."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.config import Settings

__all__ = ["AS_CONFIGURED", "Options"]


@dataclass(frozen=True)
class Options:
    """What a request may change of ``[retrieval]``, ``[verdict]`` and ``[decision]``; ``None`` keeps the setting."""

    top_k: int | None = None
    fail_on: tuple[str, ...] | None = None
    min_groundedness: float | None = None
    suggest_fixes: bool | None = None
    strict: bool | None = None

    def applied(self, settings: Settings, namespace: str) -> Settings:
        """The settings for one request."""
        decision: dict[str, object] = {
            "fail_on": self.fail_on,
            "min_groundedness": self.min_groundedness,
            "strict": self.strict,
        }
        changes: dict[str, dict[str, object]] = {
            "kb": {"namespace": namespace},
            "retrieval": {"top_k": self.top_k},
            "verdict": {"suggest_fixes": self.suggest_fixes},
            "decision": decision,
        }
        return settings.model_copy(
            update={
                section: getattr(settings, section).model_copy(
                    update={key: value for key, value in values.items() if value is not None}
                )
                for section, values in changes.items()
            }
        )


AS_CONFIGURED = Options()
"""No change."""
