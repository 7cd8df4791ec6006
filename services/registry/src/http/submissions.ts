import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import { Failed, invalid, notFound } from "@tripline/contract/failures";
import { Id } from "@tripline/contract/names";
import { limit } from "@tripline/contract/paging";
import { MAX_MANIFEST_BYTES, Manifest, Sha256 } from "@tripline/contract/registry";
import { readJson } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import { type Reply, type Route, reply, route } from "@tripline/web/route";
import { validate } from "@tripline/web/validate";
import * as z from "zod";
import type { Check } from "../checks/check.ts";
import type { Submission, Waiting } from "../storage/submissions.ts";
import { NewSubmissionAnswer, RefusedSubmission, SubmissionAnswer, WaitingPage } from "./answers.ts";
import type { RegistryParts } from "./deps.ts";

const tag = "Submissions";
/** The size limit applies to canonical JSON; an indented manifest takes more. */
const MAX_BODY_BYTES = 2 * MAX_MANIFEST_BYTES;
const CHECK_MS = 25_000;
const PUBLISHER_TOKEN = /^[\x21-\x7e]{32,128}$/;

const Offer = z.strictObject({
	manifest: Manifest,
	sha256: Sha256.optional().meta({
		description: "The expected hash of the manifest; not compared if omitted",
	}),
});

const Decision = z
	.strictObject({
		decision: z.enum(["approve", "reject"]),
		reason: z.string().trim().min(1).max(2_000).optional(),
	})
	.refine(({ decision, reason }) => decision === "approve" || reason !== undefined, {
		path: ["reason"],
		message: "is required to reject a submission",
	});

export function submissionRoutes(parts: RegistryParts): Route<unknown>[] {
	const { access, submit, review, submissions } = parts;
	return [
		route({
			method: "POST",
			path: "/submissions",
			tag,
			open: true,
			summary: "Submit a version of a component for review",
			description:
				"The submission is checked at once and stored only if every check passes. The first submission under a publisher's name claims that name: send a token of your own, or keep the one in the response.",
			accepts: { "application/json": Offer },
			headers: {
				authorization: "Bearer <SERVICE_ACCESS_TOKEN>, if one is set",
				"x-publisher-token": "Proves the publisher: 32 to 128 characters. Required once the name is claimed",
			},
			responses: {
				201: { description: "The submission waits for review", body: NewSubmissionAnswer },
				422: { description: "The manifest is invalid or fails a check", body: RefusedSubmission },
			},
			async handle({ request }) {
				access.checkSubmitter(request);
				const publisherToken = readPublisherToken(request);
				const body = validate(Offer, await readJson(request, MAX_BODY_BYTES)) as z.output<typeof Offer>;
				const outcome = await submit(
					{ manifest: body.manifest, sha256: body.sha256, publisherToken },
					AbortSignal.timeout(CHECK_MS),
				);
				if (outcome.kind === "refused") return replyRefused(outcome.checks);
				const { manifest: _, ...answer } = toAnswer(outcome.submission);
				return reply(
					201,
					outcome.newToken === null ? answer : { ...answer, publisher_token: outcome.newToken },
				);
			},
		}),

		route({
			method: "GET",
			path: "/submissions",
			tag,
			open: true,
			summary: "List submissions that wait for review, by component",
			headers: { authorization: "Bearer <REGISTRY_ADMIN_TOKEN>" },
			query: z.strictObject({ limit: limit(20, 100), cursor: z.string().max(400).optional() }),
			responses: { 200: { description: "A page", body: WaitingPage } },
			async handle({ request, query }) {
				access.checkAdmin(request);
				const after = query.cursor === undefined ? "" : decodeCursor(query.cursor);
				const rest = (await submissions.listWaiting()).filter((waiting) => toPlace(waiting) > after);
				const shown = rest.slice(0, query.limit);
				const summaries = await Promise.all(shown.map((waiting) => submissions.readSummary(waiting)));
				const last = shown.at(-1);
				return reply(200, {
					submissions: summaries.filter((summary) => summary !== null),
					next_cursor: rest.length > shown.length && last !== undefined ? encodeCursor(toPlace(last)) : null,
				});
			},
		}),

		route({
			method: "GET",
			path: "/submissions/{id}",
			tag,
			open: true,
			summary: "Get a submission and its status",
			headers: { authorization: "Bearer <SERVICE_ACCESS_TOKEN>, if one is set" },
			params: z.object({ id: z.string() }),
			responses: { 200: { description: "The submission", body: SubmissionAnswer } },
			async handle({ request, params }) {
				access.checkSubmitter(request);
				const found = Id.safeParse(params.id).success ? await submissions.get(params.id) : null;
				if (found === null) throw notFound("submission not found");
				return reply(200, toAnswer(found));
			},
		}),

		route({
			method: "POST",
			path: "/submissions/{id}/review",
			tag,
			open: true,
			summary: "Approve or reject a submission",
			description: "An approved version stays on the market permanently.",
			headers: { authorization: "Bearer <REGISTRY_ADMIN_TOKEN>" },
			params: z.object({ id: z.string() }),
			accepts: { "application/json": Decision },
			responses: { 200: { description: "The reviewed submission", body: SubmissionAnswer } },
			async handle({ request, params }) {
				access.checkAdmin(request);
				const body = validate(Decision, await readJson(request, MAX_BODY_BYTES)) as z.output<typeof Decision>;
				if (!Id.safeParse(params.id).success) throw notFound("submission not found");
				return reply(
					200,
					toAnswer(await review(params.id, { decision: body.decision, reason: body.reason ?? null })),
				);
			},
		}),
	];
}

function readPublisherToken(request: Incoming): string | null {
	const token = request.headers.get("x-publisher-token");
	if (token === null || PUBLISHER_TOKEN.test(token)) return token;
	throw new Failed({
		kind: "forbidden",
		message: "the header X-Publisher-Token must have 32 to 128 characters without spaces",
	});
}

function replyRefused(checks: readonly Check[]): Reply {
	const failed = checks.filter(({ ok }) => !ok);
	return reply(422, {
		error: `the submission fails ${failed.length === 1 ? "a check" : `${failed.length} checks`}`,
		issues: failed.map(({ name, message }) => ({ path: name, message })),
		checks,
	});
}

const toAnswer = ({ publisher_token_sha256: _, ...submission }: Submission) => ({
	...submission,
	component: submission.manifest.id,
	version: submission.manifest.version,
	publisher: submission.manifest.publisher,
});

/** Sorts in the order of the list. */
const toPlace = ({ component, version, publisher, id }: Waiting): string =>
	`${component}@${version}/${publisher}/${id}`;

const encodeCursor = (place: string): string => toBase64Url(new TextEncoder().encode(place));

function decodeCursor(cursor: string): string {
	const bytes = fromBase64(cursor);
	if (bytes === null) throw invalid([{ path: "cursor", message: "is not a cursor of this list" }]);
	return new TextDecoder().decode(bytes);
}
