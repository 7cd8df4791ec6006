import { randomUUID } from "node:crypto";
import * as z from "zod";
import { Refusal } from "./answer.ts";
import { createRoute, pageQuery, paginate } from "./api.ts";
import { listSecrets, renderBindings } from "./bindings.ts";
import { type Deployment, findActiveVersion, type Script, type Version } from "./script.ts";
import { getScript, READ, SCRIPTS, WRITE } from "./script-access.ts";

const SCRIPT = `${SCRIPTS}/:script`;

const listVersions = createRoute({
	...READ,
	method: "GET",
	path: `${SCRIPT}/versions`,
	query: pageQuery({ least: 1, most: 100, usual: 10 }),
	handle({ account, param, query }) {
		const newestFirst = [...getScript(account, param("script")).versions].reverse();
		const { rows, info } = paginate(newestFirst, query, account.mostPerPage);
		return { result: { items: rows.map(renderVersion) }, info };
	},
});

const getVersion = createRoute({
	...READ,
	method: "GET",
	path: `${SCRIPT}/versions/:version`,
	handle({ account, param }) {
		const version = findVersion(getScript(account, param("script")), param("version"));
		return { result: { ...renderVersion(version), resources: renderResources(version) } };
	},
});

const listDeployments = createRoute({
	...READ,
	method: "GET",
	path: `${SCRIPT}/deployments`,
	handle: ({ account, param }) => ({
		result: { deployments: [...getScript(account, param("script")).deployments].reverse() },
	}),
});

const createDeployment = createRoute({
	...WRITE,
	method: "POST",
	path: `${SCRIPT}/deployments`,
	query: z.object({ force: z.stringbool().default(false) }),
	body: z.strictObject({
		strategy: z.literal("percentage"),
		versions: z
			.array(z.strictObject({ version_id: z.string(), percentage: z.number().min(0.01).max(100) }))
			.min(1)
			.max(2),
		annotations: z.strictObject({ "workers/message": z.string().max(100).optional() }).optional(),
	}),
	handle({ account, param, query: { force }, body: { versions, annotations } }) {
		const script = getScript(account, param("script"));
		const chosen = versions.map(({ version_id }) => findVersion(script, version_id));
		if (versions.reduce((sum, { percentage }) => sum + percentage, 0) !== 100) {
			throw new Refusal(400, 10026, "Invalid property: versions => percentages must add up to 100");
		}
		if (
			!force &&
			chosen.some((version) => describeSecret(version) !== describeSecret(findActiveVersion(script)))
		) {
			const message = "Secrets have changed since this version was created; use force to deploy it";
			throw new Refusal(400, 10220, message);
		}
		deploy(script, versions, annotations?.["workers/message"]);
		account.runtime.changed();
		return { result: script.deployments.at(-1) };
	},
});

export const versionRoutes = [listVersions, getVersion, listDeployments, createDeployment];

/** A version without assets keeps those of the previous one. */
export function addVersion(
	script: Script,
	version: Pick<Version, "source" | "code" | "bindings" | "exports"> &
		Partial<Pick<Version, "assets" | "annotations">>,
): Version {
	const now = new Date().toISOString();
	const { assets = script.versions.at(-1)?.assets ?? null, annotations = {} } = version;
	const added = {
		...version,
		assets,
		annotations,
		id: randomUUID(),
		number: script.versions.length + 1,
		createdOn: now,
	};
	script.versions.push(added);
	script.modifiedOn = now;
	return added;
}

export function deploy(script: Script, versions: Deployment["versions"], message?: string): void {
	script.deployments.push({
		id: randomUUID(),
		created_on: new Date().toISOString(),
		source: "api",
		author_email: AUTHOR.author_email,
		strategy: "percentage",
		versions,
		annotations: { "workers/triggered_by": "deployment", ...(message && { "workers/message": message }) },
	});
}

const AUTHOR = { author_id: "0123456789abcdef0123456789abcdef", author_email: "owner@example.com" };

export const renderVersion = ({ id, number, createdOn, source, annotations }: Version) => ({
	id,
	number,
	metadata: { created_on: createdOn, modified_on: createdOn, source: "api", has_preview: false, ...AUTHOR },
	annotations: { "workers/triggered_by": source, ...annotations },
});

/** The contents of a version. */
export const renderResources = ({ code, exports, bindings }: Version) => ({
	script: {
		etag: code.etag,
		handlers: exports.handlers,
		named_handlers: exports.entrypoints.map((name) => ({ name, handlers: ["class"] })),
		last_deployed_from: "api",
	},
	script_runtime: {
		compatibility_date: code.compatibilityDate,
		compatibility_flags: code.compatibilityFlags,
		usage_model: "standard",
	},
	bindings: renderBindings(bindings),
});

function findVersion(script: Script, id: string): Version {
	const version = script.versions.find((one) => one.id === id);
	if (version === undefined) throw new Refusal(404, 100146, "Version not found");
	return version;
}

const describeSecret = (version: Version | undefined) =>
	JSON.stringify([...listSecrets(version?.bindings ?? [])].map(({ name, text }) => [name, text]).sort());
