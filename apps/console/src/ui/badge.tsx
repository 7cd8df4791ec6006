import type { ReactNode } from "react";

export type Tone = "good" | "bad" | "warn" | "accent" | "neutral";

export function Badge({
	tone = "neutral",
	children,
}: {
	readonly tone?: Tone;
	readonly children: ReactNode;
}) {
	return <span className={`badge ${tone}`}>{children}</span>;
}
