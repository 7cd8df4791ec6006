import { sha256Hex } from "@tripline/contract/ids";
import { type Embedder, EmbedUnavailable } from "@tripline/platform/embed";
import type { ClaimedText, FailedText, MadeVector } from "../storage/embed-work.ts";
import { quantise } from "./quantise.ts";
import { buildText, computeRetrySeconds } from "./text.ts";

export interface Embedded {
	readonly made: readonly MadeVector[];
	/** Texts whose current vector was made from the same text. */
	readonly same: readonly ClaimedText[];
	readonly failed: readonly FailedText[];
	/** Not tried, because the provider is unavailable. */
	readonly untried: readonly ClaimedText[];
	/** Of the new vectors; null if there are none. */
	readonly dimensions: number | null;
	/** Why the provider is unavailable. */
	readonly outage: string | null;
}

/** A text that failed this often is sent alone, because it may be what fails its batch. */
const MAX_BATCH_ATTEMPTS = 2;
const MAX_FAILURES_IN_A_ROW = 2;

/** Embeds the claimed texts. Never throws: failures are returned with the time of their retry. */
export async function embedTexts(deps: {
	readonly embedder: Embedder;
	readonly texts: readonly ClaimedText[];
	readonly generation: number;
	readonly now: number;
	readonly signal: AbortSignal;
}): Promise<Embedded> {
	const { embedder, texts, generation, now, signal } = deps;
	const hashed = await Promise.all(
		texts.map(async (text) => ({ text, hash: await sha256Hex(buildText(text)) })),
	);
	const isSame = ({ text, hash }: (typeof hashed)[number]) =>
		text.generation === generation && text.text_hash === hash;
	const groups = buildGroups(hashed.filter((each) => !isSame(each)));
	const made: MadeVector[] = [];
	const failed: FailedText[] = [];
	let dimensions: number | null = null;
	let outage: string | null = null;
	let failuresInARow = 0;
	while (groups.length > 0 && failuresInARow < MAX_FAILURES_IN_A_ROW && !signal.aborted) {
		const group = groups.shift() ?? [];
		try {
			const vectors = await embedder.embed(
				group.map(({ text }) => buildText(text)),
				signal,
			);
			for (const [index, { text, hash }] of group.entries()) {
				const vector = vectors[index] ?? null;
				dimensions ??= vector?.length ?? null;
				if (vector === null) failed.push(toFailedText(text, now, "the provider rejected this text"));
				else if (vector.length !== dimensions)
					failed.push(toFailedText(text, now, "the provider returned vectors of different dimensions"));
				else made.push({ text, text_hash: hash, vector: quantise(vector) });
			}
			failuresInARow = 0;
			outage = null;
		} catch (error) {
			outage = error instanceof EmbedUnavailable ? error.message : "the embedder failed";
			failuresInARow++;
			for (const { text } of group) failed.push(toFailedText(text, now, outage));
			// A failed batch means an outage; a failed single text may just be impossible to embed.
			if (group.length > 1) break;
		}
	}
	return {
		made,
		same: hashed.filter(isSame).map(({ text }) => text),
		failed,
		untried: groups.flat().map(({ text }) => text),
		dimensions,
		outage,
	};
}

type Hashed = { readonly text: ClaimedText; readonly hash: string };

function buildGroups(texts: readonly Hashed[]): Hashed[][] {
	const together = texts.filter(({ text }) => text.attempts < MAX_BATCH_ATTEMPTS);
	const alone = texts.filter(({ text }) => text.attempts >= MAX_BATCH_ATTEMPTS);
	return [...(together.length > 0 ? [together] : []), ...alone.map((each) => [each])];
}

const toFailedText = (text: ClaimedText, now: number, error: string): FailedText => ({
	text,
	retryAt: now + computeRetrySeconds(text.attempts),
	error,
});
