import type { Manifest } from "@tripline/contract/registry";
import type { Clock } from "@tripline/platform/clock";
import type { Kv } from "@tripline/platform/kv";
import type { Check } from "../checks/check.ts";

export interface Submission {
	readonly id: string;
	readonly status: "pending" | "approved" | "rejected";
	readonly manifest: Manifest;
	readonly sha256: string;
	readonly checks: readonly Check[];
	/** The owner of the publisher's name at submission. Never returned. */
	readonly publisher_token_sha256: string;
	readonly created_at: string;
	/** When it is deleted; a review restarts the period. */
	readonly expires_at: string;
	readonly reviewed_at: string | null;
	readonly reason: string | null;
}

/** A submission that waits for review, as encoded in its key. */
export interface Waiting {
	readonly id: string;
	readonly component: string;
	readonly version: string;
	/** The publisher's name in its key form. */
	readonly publisher: string;
}

export type SubmissionStorage = ReturnType<typeof submissionStorage>;

export const KEPT_SECONDS = 30 * 24 * 60 * 60;
const WAITING = "pending:";

/** Each waiting submission has its own descriptive key, so that no two writers share one. */
export function submissionStorage(kv: Kv) {
	return {
		async get(id: string): Promise<Submission | null> {
			const text = await kv.get(`submission:${id}`);
			return text === null ? null : (JSON.parse(text) as Submission);
		},

		async add(submission: Submission, publisher: string): Promise<void> {
			await put(submission);
			await kv.put(buildKey(toWaiting(submission, publisher)), buildSummaryText(submission), {
				ttlSeconds: KEPT_SECONDS,
			});
		},

		async decide(submission: Submission, publisher: string): Promise<void> {
			await put(submission);
			await kv.delete(buildKey(toWaiting(submission, publisher)));
		},

		forget: (listWaiting: Waiting): Promise<void> => kv.delete(buildKey(listWaiting)),

		/** In order of component and version. */
		async listWaiting(): Promise<Waiting[]> {
			const found: Waiting[] = [];
			let cursor: string | null = null;
			do {
				const page: Awaited<ReturnType<Kv["list"]>> = await kv.list({ prefix: WAITING, cursor });
				found.push(...page.keys.map(parseKey));
				cursor = page.cursor;
			} while (cursor !== null);
			return found;
		},

		async readSummary(listWaiting: Waiting): Promise<Summary | null> {
			const text = await kv.get(buildKey(listWaiting));
			return text === null ? null : (JSON.parse(text) as Summary);
		},
	};

	function put(submission: Submission): Promise<void> {
		return kv.put(`submission:${submission.id}`, JSON.stringify(submission), { ttlSeconds: KEPT_SECONDS });
	}
}

export const computeExpiry = (clock: Clock): string =>
	new Date(clock.now() + KEPT_SECONDS * 1000).toISOString();

export type Summary = ReturnType<typeof toSummary>;

const toSummary = ({ id, manifest, sha256, created_at, expires_at }: Submission) => ({
	id,
	component: manifest.id,
	version: manifest.version,
	title: manifest.title,
	kind: manifest.kind,
	publisher: manifest.publisher,
	hosts: manifest.hosts,
	credentials: manifest.credentials,
	sha256,
	created_at,
	expires_at,
});

const buildSummaryText = (submission: Submission): string => JSON.stringify(toSummary(submission));

const toWaiting = ({ id, manifest }: Submission, publisher: string): Waiting => ({
	id,
	component: manifest.id,
	version: manifest.version,
	publisher,
});

const buildKey = ({ id, component, version, publisher }: Waiting): string =>
	`${WAITING}${component}@${version}/${publisher}/${id}`;

function parseKey(key: string): Waiting {
	const [what = "", publisher = "", id = ""] = key.slice(WAITING.length).split("/");
	const [component = "", version = ""] = what.split("@");
	return { id, component, version, publisher };
}
