import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { InstalledComponent } from "@tripline/contract/executor";
import { NewSubmissionAnswer, RefusedSubmission, SubmissionAnswer } from "@tripline/registry/http/answers";
import { callingManifest, doublingManifest } from "../../../../services/registry/test/manifests.ts";
import type { Scenario, World } from "../../scenario.ts";

const ADMIN_TOKEN = "admin-token-of-the-scenarios";

/** A registry that can review submissions and soon writes its statistics. */
export const onRegistry = (scenario: Scenario): Scenario => ({
	...scenario,
	environment: { REGISTRY_ADMIN_TOKEN: ADMIN_TOKEN, REGISTRY_STATS_SECONDS: "1" },
});

export const asAdmin = { authorization: `Bearer ${ADMIN_TOKEN}` };

const PUBLISHER_TOKEN = "publisher-token-of-the-scenarios-0123";

const offer = (manifest: object, more: object = {}) => ({
	body: { manifest, ...more },
	headers: { "x-publisher-token": PUBLISHER_TOKEN },
});

export const submit = ({ anyone }: World, manifest: object, more: object = {}) =>
	anyone.expect(201, NewSubmissionAnswer.strict(), "POST", "/registry/submissions", offer(manifest, more));

/** Submits a manifest and returns the failed checks. */
export async function listFailedChecks(
	{ anyone }: World,
	manifest: object,
	more: object = {},
): Promise<string[]> {
	const path = "/registry/submissions";
	const { issues } = await anyone.expect(
		422,
		RefusedSubmission.strict(),
		"POST",
		path,
		offer(manifest, more),
	);
	return issues.map((issue) => issue.path);
}

export const refuseSubmission = ({ anyone }: World, status: number, manifest: object) =>
	anyone.refuse(status, "POST", "/registry/submissions", offer(manifest));

export const review = ({ anyone }: World, id: string, body: object = { decision: "approve" }) =>
	anyone.expect(200, SubmissionAnswer.strict(), "POST", `/registry/submissions/${id}/review`, {
		body,
		headers: asAdmin,
	});

/** Submits and approves a manifest and returns its hash. */
export async function publish(world: World, manifest: object): Promise<string> {
	const { id, sha256 } = await submit(world, manifest);
	await review(world, id);
	return sha256;
}

export const install = (
	{ executor }: World,
	id: string,
	version: string,
	sha256: string,
	status = 201,
	headers: Readonly<Record<string, string>> = {},
) =>
	executor.expect(status, InstalledComponent.strict(), "PUT", `/components/${id}`, {
		body: { version, sha256 },
		headers,
	});

/** SHA-256 of the JSON with sorted keys and without spaces. */
export const computeHash = (value: unknown): string =>
	createHash("sha256").update(canonicalize(value)).digest("hex");

function canonicalize(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalize).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const names = Object.keys(value).sort();
	assert.ok(names.every((name) => /^[\x20-\x7e]*$/.test(name)));
	const fields = names.map(
		(name) => `${JSON.stringify(name)}:${canonicalize(value[name as keyof typeof value])}`,
	);
	return `{${fields.join(",")}}`;
}

/** A component of code that doubles a number, with the given changes. */
export const codeManifest = (id: string, changes: object = {}) =>
	doublingManifest({ id, publisher: "Scenario Works", ...changes });

/** A component made of data that calls the host with a credential of an auth recipe that it brings. */
export const recipeManifest = (id: string, host: string, changes: object = {}) =>
	callingManifest({ id, publisher: "Scenario Works", ...changes }, host);
