import { useTexts } from "../texts/texts.ts";
import { Badge, type Tone } from "./badge.tsx";
import { COMMON } from "./common-texts.ts";

const TONES: Readonly<Record<string, Tone>> = {
	success: "good",
	failed: "bad",
	running: "accent",
	accepted: "accent",
	retrying: "warn",
};

/** Status badge of a run or a node. */
export function Status({ of }: { readonly of: string }) {
	const text = useTexts(COMMON);
	const words: Readonly<Record<string, string>> = {
		success: text.succeeded,
		failed: text.failed,
		running: text.running,
		accepted: text.running,
		retrying: text.running,
		skipped: text.skipped,
		cancelled: text.cancelled,
	};
	return <Badge tone={TONES[of] ?? "neutral"}>{words[of] ?? of}</Badge>;
}
