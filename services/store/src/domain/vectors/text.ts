/** What is embedded of an entry; the claim has cut the content already. */
export const textOf = (entry: { readonly page_name: string; readonly content: string }): string =>
	`${entry.page_name}\n${entry.content}`;

/** Whether a write may have marked an entry. The database decides; this only saves waking up for nothing. */
export const mayWantEmbedding = (metadataJson: string): boolean => metadataJson.includes('embed"');

const FIRST_RETRY_SECONDS = 60;
const LONGEST_RETRY_SECONDS = 60 * 60;

/** After a number of attempts that failed. */
export const retryAfter = (attempts: number): number =>
	Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(attempts, 16), LONGEST_RETRY_SECONDS);
