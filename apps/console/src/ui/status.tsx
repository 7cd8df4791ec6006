import { useTexts } from "../texts/texts.ts";
import { Badge, type Tone } from "./badge.tsx";
import { COMMON } from "./common-texts.ts";

const TONES: Readonly<Record<string, Tone>> = {
	success: "good",
	failed: "bad",
	running: "accent",
	accepted: "accent",
	retrying: "warn",
	retried: "warn",
};

/** Returns a function that names a status in the console's language. */
export function useStatusWord(): (status: string) => string {
	const text = useTexts(COMMON);
	const words: Readonly<Record<string, string>> = {
		success: text.succeeded,
		failed: text.failed,
		running: text.running,
		waiting: text.waiting,
		accepted: text.running,
		retrying: text.running,
		retried: text.retried,
		skipped: text.skipped,
		cancelled: text.cancelled,
	};
	return (status) => words[status] ?? status;
}

/** Status badge of a run or a node. */
export function Status({ of }: { readonly of: string }) {
	const getStatusWord = useStatusWord();
	return <Badge tone={TONES[of] ?? "neutral"}>{getStatusWord(of)}</Badge>;
}
