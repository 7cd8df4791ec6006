import { hashManifest, toCanonicalJson } from "@tripline/components/installed/canonical";
import { Failed } from "@tripline/contract/failures";
import { randomToken, sha256Hex, uuidv7 } from "@tripline/contract/ids";
import { MAX_MANIFEST_BYTES, type Manifest } from "@tripline/contract/registry";
import { isSameSecret } from "@tripline/contract/secrets";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { Check } from "../checks/check.ts";
import type { Checks } from "../checks/checks.ts";
import type { Taken } from "../checks/names.ts";
import type { Listed } from "../domain/listing.ts";
import type { PublishedStorage } from "../storage/published.ts";
import { buildPublisherKey, isSamePublisher, type PublisherStorage } from "../storage/publishers.ts";
import {
	computeExpiry,
	type Submission,
	type SubmissionStorage,
	type Waiting,
} from "../storage/submissions.ts";
import type { InTurn } from "./in-turn.ts";

const MAX_WAITING = 1000;
const MAX_WAITING_PER_PUBLISHER = 20;
/** A trial run may take seconds. */
const MAX_CONCURRENT_CHECKS = 8;
const TOKEN_BYTES = 32;

interface Offer {
	readonly manifest: Manifest;
	/** The hash sent by the publisher. */
	readonly sha256: string | undefined;
	readonly publisherToken: string | null;
}

type Outcome =
	| { readonly kind: "refused"; readonly checks: readonly Check[] }
	/** A new publisher's token is returned only once. */
	| { readonly kind: "waiting"; readonly submission: Submission; readonly newToken: string | null };

export type Submit = (offer: Offer, signal: AbortSignal) => Promise<Outcome>;

/** Accepts a submission if every check passes. */
export function submitter(deps: {
	published: PublishedStorage;
	submissions: SubmissionStorage;
	publishers: PublisherStorage;
	checks(): Promise<Checks>;
	clock: Clock;
	inTurn: InTurn;
}): Submit {
	const { published, submissions, publishers, clock } = deps;
	let activeChecks = 0;

	return async (offer, signal) => {
		if (activeChecks >= MAX_CONCURRENT_CHECKS) throw tooMany("too many submissions are being checked", 5);
		activeChecks++;
		try {
			return await submit(offer, signal);
		} finally {
			activeChecks--;
		}
	};

	async function submit(offer: Offer, signal: AbortSignal): Promise<Outcome> {
		const { manifest } = offer;
		const bytes = new TextEncoder().encode(toCanonicalJson(manifest)).length;
		if (bytes > MAX_MANIFEST_BYTES)
			throw new Failed({
				kind: "too_large",
				message: `the manifest is ${bytes} bytes, more than ${MAX_MANIFEST_BYTES}`,
			});
		const sha256 = await hashManifest(manifest);
		const offered = {
			...offer,
			bytes,
			actualSha256: sha256,
			publisher: await buildPublisherKey(manifest.publisher),
		};
		const checks = await deps.checks();
		const found = await checks.all({ ...offered, ...(await readSurroundings(offered)) }, signal);
		if (found.some(({ ok }) => !ok)) return { kind: "refused", checks: found };
		return deps.inTurn(() => acceptSubmission(offered, sha256, found));
	}

	/** Checks names again, because another submission may have arrived during the trial run. */
	async function acceptSubmission(
		offered: Offered,
		sha256: string,
		passed: readonly Check[],
	): Promise<Outcome> {
		const { manifest, publisher } = offered;
		const { tokenHash, ...around } = await readSurroundings(offered);
		const again = (await deps.checks()).ofNames({ manifest, ...around });
		if (again.some(({ ok }) => !ok)) return { kind: "refused", checks: again };
		const newToken =
			tokenHash === null && offered.publisherToken === null ? `tlr_${randomToken(TOKEN_BYTES)}` : null;
		const hash = tokenHash ?? (await sha256Hex(newToken ?? offered.publisherToken ?? ""));
		if (tokenHash === null)
			await publishers.claim(publisher, { name: manifest.publisher, token_sha256: hash });
		const submission: Submission = {
			id: uuidv7(clock.now()),
			status: "pending",
			manifest,
			sha256,
			checks: passed,
			publisher_token_sha256: hash,
			created_at: toIsoTime(clock.now()),
			expires_at: computeExpiry(clock),
			reviewed_at: null,
			reason: null,
		};
		await submissions.add(submission, publisher);
		return { kind: "waiting", submission, newToken };
	}

	/** Throws if the submission is refused outright; returns what the checks compare it with. */
	async function readSurroundings(offered: Offered) {
		const { manifest, publisher } = offered;
		const tokenHash = await publishers.findTokenHash(publisher);
		await assertPublisher(offered, tokenHash);
		const listed = await published.all({ fresh: true });
		const versions = listed.get(manifest.id)?.versions.map(({ version }) => version) ?? [];
		if (versions.includes(manifest.version))
			throw conflict(`${manifest.id} ${manifest.version} is published and cannot change: raise the version`);
		const waiting = await submissions.listWaiting();
		await assertNotWaiting(manifest, waiting);
		if (waiting.length >= MAX_WAITING) throw tooMany("too many submissions wait for review", 3600);
		if (waiting.filter((each) => each.publisher === publisher).length >= MAX_WAITING_PER_PUBLISHER)
			throw tooMany(`${MAX_WAITING_PER_PUBLISHER} submissions of this publisher wait for review`, 3600);
		const taken = [
			...listPublishedByOthers(listed, manifest.publisher),
			...listWaitingByOthers(waiting, publisher),
		];
		return { tokenHash, versions, taken };
	}

	/** A decided submission whose waiting key was left behind by a crash does not block new ones. */
	async function assertNotWaiting(manifest: Manifest, waiting: readonly Waiting[]): Promise<void> {
		for (const each of waiting) {
			if (each.component !== manifest.id || each.version !== manifest.version) continue;
			if ((await submissions.get(each.id))?.status === "pending")
				throw conflict(
					`${manifest.id} ${manifest.version} already waits for review as submission ${each.id}`,
				);
			await submissions.forget(each);
		}
	}
}

interface Offered extends Offer {
	readonly bytes: number;
	readonly actualSha256: string;
	/** The publisher's name in its key form. */
	readonly publisher: string;
}

async function assertPublisher(
	{ manifest, publisherToken }: Offered,
	tokenHash: string | null,
): Promise<void> {
	if (tokenHash === null) return;
	if (publisherToken !== null && isSameSecret(await sha256Hex(publisherToken), tokenHash)) return;
	throw new Failed({
		kind: "forbidden",
		message: `the publisher ${manifest.publisher} is already claimed: send its token in the header X-Publisher-Token, or use another publisher`,
	});
}

const listPublishedByOthers = (listed: ReadonlyMap<string, Listed>, publisher: string): Taken[] =>
	[...listed.values()]
		.filter((each) => !isSamePublisher(each.publisher, publisher))
		.map((each) => ({ id: each.id, by: `a component of ${each.publisher}` }));

const listWaitingByOthers = (waiting: readonly Waiting[], publisher: string): Taken[] =>
	waiting
		.filter((each) => each.publisher !== publisher)
		.map(({ component }) => ({ id: component, by: "a submission of another publisher" }));

const conflict = (message: string): Failed => new Failed({ kind: "conflict", message });

const tooMany = (message: string, retryAfterSeconds: number): Failed =>
	new Failed({ kind: "too_many", message: `${message}: try again later`, retryAfterSeconds });
