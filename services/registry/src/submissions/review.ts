import { hashManifest } from "@tripline/components/installed/canonical";
import { Failed, notFound } from "@tripline/contract/failures";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import { compareVersions } from "../domain/versions.ts";
import type { PublishedStorage } from "../storage/published.ts";
import { buildPublisherKey, isSamePublisher, type PublisherStorage } from "../storage/publishers.ts";
import { computeExpiry, type Submission, type SubmissionStorage } from "../storage/submissions.ts";
import type { InTurn } from "./in-turn.ts";

interface Decision {
	readonly decision: "approve" | "reject";
	readonly reason: string | null;
}

export type Review = (id: string, decision: Decision) => Promise<Submission>;

/** Decides on a submission once. The decision is stored last, so that a review can be repeated after a crash. */
export function reviewer(deps: {
	published: PublishedStorage;
	submissions: SubmissionStorage;
	publishers: PublisherStorage;
	clock: Clock;
	inTurn: InTurn;
}): Review {
	const { published, submissions, publishers, clock } = deps;
	return (id, decision) => deps.inTurn(() => review(id, decision));

	async function review(id: string, { decision, reason }: Decision): Promise<Submission> {
		const submission = await submissions.get(id);
		if (submission === null) throw notFound("submission not found");
		const publisher = await buildPublisherKey(submission.manifest.publisher);
		if (submission.status !== "pending") {
			await submissions.decide(submission, publisher);
			throw conflict(`the submission is already ${submission.status}`);
		}
		if (decision === "approve") await publish(submission, publisher);
		const decided: Submission = {
			...submission,
			status: decision === "approve" ? "approved" : "rejected",
			reason,
			reviewed_at: toIsoTime(clock.now()),
			expires_at: computeExpiry(clock),
		};
		await submissions.decide(decided, publisher);
		return decided;
	}

	async function publish(submission: Submission, publisher: string): Promise<void> {
		const { manifest, sha256, publisher_token_sha256 } = submission;
		if ((await hashManifest(manifest)) !== sha256)
			throw new Failed({ kind: "corrupt", message: "the stored manifest does not match its hash" });
		await assertPublishable(submission, publisher);
		await publishers.keep(publisher, { name: manifest.publisher, token_sha256: publisher_token_sha256 });
		await published.publish({ manifest, sha256, published_at: toIsoTime(clock.now()) });
	}

	/** Names and versions that were free at submission may have been taken since. */
	async function assertPublishable(submission: Submission, publisher: string): Promise<void> {
		const { manifest, sha256, publisher_token_sha256 } = submission;
		const { id, version } = manifest;
		const holder = await publishers.findTokenHash(publisher);
		if (holder !== null && holder !== publisher_token_sha256)
			throw conflict(`the publisher ${manifest.publisher} now has another owner: reject the submission`);
		const listed = (await published.all({ fresh: true })).get(id);
		if (listed !== undefined && !isSamePublisher(listed.publisher, manifest.publisher))
			throw conflict(`${id} now belongs to ${listed.publisher}: reject the submission`);
		const same = await published.version(id, version);
		if (same !== null && same.sha256 === sha256) return;
		const later = listed?.versions.find((each) => compareVersions(each.version, version) >= 0);
		if (same !== null || later !== undefined)
			throw conflict(`${id} now has version ${later?.version ?? version}: reject the submission`);
	}
}

const conflict = (message: string): Failed => new Failed({ kind: "conflict", message });
