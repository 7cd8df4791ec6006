/** The text to embed of an entry; the claim has already truncated the content. */
export const buildText = (entry: { readonly page_name: string; readonly content: string }): string =>
	`${entry.page_name}\n${entry.content}`;

/** Whether a write may have marked an entry. The database decides; this check only avoids needless runs. */
export const mayWantEmbedding = (metadataJson: string): boolean => metadataJson.includes('embed"');

const FIRST_RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = 60 * 60;

/** Seconds to wait after this many failed attempts. */
export const computeRetrySeconds = (attempts: number): number =>
	Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(attempts, 16), MAX_RETRY_SECONDS);
