import { randomBytes } from "node:crypto";
import * as z from "zod";
import type { Account } from "./account.ts";
import { Refusal } from "./answer.ts";
import { createRoute } from "./api.ts";
import { manifestSchema } from "./assets.ts";
import { buildBindings, checkBindings, renderBindings } from "./bindings.ts";
import { probeExports } from "./probe.ts";
import { findActiveVersion, type Script, type Version } from "./script.ts";
import { getScript, READ, SCRIPTS, WRITE } from "./script-access.ts";
import { readUpload, tagsSchema, type Upload } from "./upload.ts";
import { addVersion, deploy, renderResources, renderVersion } from "./versions.ts";

const list = createRoute({
	...READ,
	method: "GET",
	path: SCRIPTS,
	handle: ({ account }) => ({ result: [...account.scripts.values()].map((script) => renderScript(script)) }),
});

const beginAssets = createRoute({
	...WRITE,
	method: "POST",
	path: `${SCRIPTS}/:script/assets-upload-session`,
	body: z.strictObject({ manifest: manifestSchema }),
	handle: ({ account, param, body }) => ({ result: account.assets.begin(param("script"), body.manifest) }),
});

const upload = createRoute({
	...WRITE,
	method: "PUT",
	path: `${SCRIPTS}/:script`,
	async handle({ account, param, request }) {
		const { script, version, tags } = await acceptUpload(account, param("script"), request);
		script.tags = tags ?? [];
		deploy(script, [{ version_id: version.id, percentage: 100 }]);
		account.runtime.changed();
		const { startupMs } = version.exports;
		return {
			result: {
				...renderScript(script, version),
				startup_time_ms: startupMs,
				deployment_id: version.id.replaceAll("-", ""),
			},
		};
	},
});

/** Uploads a version that is inactive until it is deployed; the script's settings are kept. */
const uploadVersion = createRoute({
	...WRITE,
	method: "POST",
	path: `${SCRIPTS}/:script/versions`,
	async handle({ account, param, request }) {
		getScript(account, param("script"));
		const { version } = await acceptUpload(account, param("script"), request);
		const { startupMs } = version.exports;
		return {
			result: { ...renderVersion(version), resources: renderResources(version), startup_time_ms: startupMs },
		};
	},
});

const remove = createRoute({
	...WRITE,
	method: "DELETE",
	path: `${SCRIPTS}/:script`,
	query: z.object({ force: z.stringbool().default(false) }),
	handle({ account, param, query: { force } }) {
		const { name } = getScript(account, param("script"));
		if (!force && [...account.scripts.values()].some((other) => isBoundBy(other, name))) {
			throw new Refusal(400, 10064, `Script "${name}" is referenced by service bindings of other scripts`);
		}
		account.scripts.delete(name);
		account.runtime.changed();
		return { result: null };
	},
});

const settings = createRoute({
	...READ,
	method: "GET",
	path: `${SCRIPTS}/:script/settings`,
	handle({ account, param }) {
		const script = getScript(account, param("script"));
		const { code, bindings } = script.versions.at(-1) as Version;
		return {
			result: {
				bindings: renderBindings(bindings),
				compatibility_date: code.compatibilityDate,
				compatibility_flags: code.compatibilityFlags,
				tags: script.tags,
			},
		};
	},
});

const scriptSettings = createRoute({
	...READ,
	method: "GET",
	path: `${SCRIPTS}/:script/script-settings`,
	handle: ({ account, param }) => ({
		result: { tags: getScript(account, param("script")).tags, logpush: false },
	}),
});

const changeScriptSettings = createRoute({
	...WRITE,
	method: "PATCH",
	path: `${SCRIPTS}/:script/script-settings`,
	body: z.strictObject({
		tags: tagsSchema.nullish(),
		logpush: z.boolean().optional(),
		tail_consumers: z.array(z.never()).nullish(),
		observability: z.looseObject({ enabled: z.boolean() }).nullish(),
	}),
	handle({ account, param, body: { tags, logpush = false } }) {
		const script = getScript(account, param("script"));
		if (tags !== undefined) script.tags = tags ?? [];
		return { result: { tags: script.tags, logpush } };
	},
});

/** The older endpoint for a script, with which clients check whether it exists. */
const service = createRoute({
	...READ,
	method: "GET",
	path: "/workers/services/:script",
	handle({ account, param }) {
		const script = account.scripts.get(param("script"));
		if (script === undefined) throw new Refusal(404, 10090, "workers.api.error.service_not_found");
		const environment = { environment: "production", script: renderScript(script) };
		return { result: { id: script.name, default_environment: environment, environments: [environment] } };
	},
});

export const scriptRoutes = [
	list,
	service,
	beginAssets,
	upload,
	uploadVersion,
	remove,
	settings,
	scriptSettings,
	changeScriptSettings,
];

/** Reads, checks and starts an upload; one that does not start is discarded. */
async function acceptUpload(account: Account, name: string, request: Request) {
	if (!/^[a-z0-9_][a-z0-9_-]{0,62}$/.test(name)) {
		throw new Refusal(400, 10016, "Invalid script name");
	}
	const { code, bindings: named, keep_bindings, tags, annotations, ...files } = await readUpload(request);
	const assets = pickAssets(account, name, files);
	const before = () => account.scripts.get(name)?.versions.at(-1)?.bindings ?? [];
	checkBindings(account, name, buildBindings(named, keep_bindings, before()));
	if (assets === null && named.some(({ type }) => type === "assets")) {
		throw new Refusal(400, 10021, "a binding to assets needs assets");
	}
	const exports = await probeExports(code, buildBindings(named, keep_bindings, before()));
	if (exports.handlers.length === 0 && exports.entrypoints.length === 0) {
		throw new Refusal(400, 10068, "The uploaded script has no registered event handlers.");
	}
	const script = account.scripts.get(name) ?? createScript(name);
	account.scripts.set(name, script);
	const bindings = buildBindings(named, keep_bindings, before());
	const version = {
		source: "upload",
		code,
		bindings,
		exports,
		assets,
		annotations: annotations ?? {},
	} as const;
	return { script, tags, version: addVersion(script, version) };
}

/** The uploaded assets, those of the previous version, or none. */
function pickAssets(
	account: Account,
	name: string,
	{ assets, keep_assets }: Pick<Upload, "assets" | "keep_assets">,
) {
	if (assets !== undefined) return account.assets.completed(assets.jwt, name);
	return keep_assets ? (account.scripts.get(name)?.versions.at(-1)?.assets ?? null) : null;
}

function createScript(name: string): Script {
	const now = new Date().toISOString();
	return {
		name,
		tag: randomBytes(16).toString("hex"),
		createdOn: now,
		modifiedOn: now,
		tags: [],
		versions: [],
		deployments: [],
		schedules: [],
		onSubdomain: { enabled: false, previews_enabled: false },
	};
}

function renderScript(script: Script, version = findActiveVersion(script)) {
	return {
		id: script.name,
		tag: script.tag,
		tags: script.tags,
		etag: version?.code.etag,
		handlers: version?.exports.handlers,
		named_handlers: version?.exports.entrypoints.map((name) => ({ name, handlers: ["class"] })),
		compatibility_date: version?.code.compatibilityDate,
		compatibility_flags: version?.code.compatibilityFlags,
		created_on: script.createdOn,
		modified_on: script.modifiedOn,
		has_assets: version !== undefined && version.assets !== null,
		has_modules: true,
		last_deployed_from: "api",
		usage_model: "standard",
	};
}

/** Whether other scripts are bound to this one. */
function isBoundBy(script: Script, target: string): boolean {
	const { bindings = [] } = script.versions.at(-1) ?? {};
	return script.name !== target && bindings.some((one) => one.type === "service" && one.service === target);
}
