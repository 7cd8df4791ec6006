import { randomBytes } from "node:crypto";
import * as z from "zod";
import { type Account, type Script, servingVersion, type Version } from "./account.ts";
import { Refusal, route } from "./api.ts";
import { checkBindings, isBoundBy, newBindings, shownBindings } from "./bindings.ts";
import { startedExports } from "./probe.ts";
import { READ, SCRIPTS, scriptOf, WRITE } from "./script.ts";
import { readUpload, tagsSchema } from "./upload.ts";
import { addVersion, deploy, shownVersion } from "./versions.ts";

const list = route({
	...READ,
	method: "GET",
	path: SCRIPTS,
	handle: ({ account }) => ({ result: [...account.scripts.values()].map((script) => shown(script)) }),
});

const upload = route({
	...WRITE,
	method: "PUT",
	path: `${SCRIPTS}/:script`,
	async handle({ account, param, request }) {
		const { script, version, tags } = await uploaded(account, param("script"), request);
		script.tags = tags ?? [];
		deploy(script, [{ version_id: version.id, percentage: 100 }]);
		account.runtime.changed();
		const { startupMs } = version.exports;
		return {
			result: {
				...shown(script, version),
				startup_time_ms: startupMs,
				deployment_id: version.id.replaceAll("-", ""),
			},
		};
	},
});

/** A version that does not serve until it is deployed; the script's own settings stay. */
const uploadVersion = route({
	...WRITE,
	method: "POST",
	path: `${SCRIPTS}/:script/versions`,
	async handle({ account, param, request }) {
		scriptOf(account, param("script"));
		const { version } = await uploaded(account, param("script"), request);
		return { result: { ...shownVersion(version), startup_time_ms: version.exports.startupMs } };
	},
});

const remove = route({
	...WRITE,
	method: "DELETE",
	path: `${SCRIPTS}/:script`,
	query: z.object({ force: z.stringbool().default(false) }),
	handle({ account, param, query: { force } }) {
		const { name } = scriptOf(account, param("script"));
		if (!force && [...account.scripts.values()].some((other) => isBoundBy(other, name))) {
			throw new Refusal(400, 10064, `Script "${name}" is referenced by service bindings of other scripts`);
		}
		account.scripts.delete(name);
		account.runtime.changed();
		return { result: null };
	},
});

const settings = route({
	...READ,
	method: "GET",
	path: `${SCRIPTS}/:script/settings`,
	handle({ account, param }) {
		const script = scriptOf(account, param("script"));
		const { code, bindings } = script.versions.at(-1) as Version;
		return {
			result: {
				bindings: shownBindings(bindings),
				compatibility_date: code.compatibilityDate,
				compatibility_flags: code.compatibilityFlags,
				tags: script.tags,
			},
		};
	},
});

const scriptSettings = route({
	...READ,
	method: "GET",
	path: `${SCRIPTS}/:script/script-settings`,
	handle: ({ account, param }) => ({
		result: { tags: scriptOf(account, param("script")).tags, logpush: false },
	}),
});

const changeScriptSettings = route({
	...WRITE,
	method: "PATCH",
	path: `${SCRIPTS}/:script/script-settings`,
	body: z.strictObject({ tags: tagsSchema.nullish(), logpush: z.boolean().optional() }),
	handle({ account, param, body: { tags, logpush = false } }) {
		const script = scriptOf(account, param("script"));
		if (tags !== undefined) script.tags = tags ?? [];
		return { result: { tags: script.tags, logpush } };
	},
});

export const scriptRoutes = [
	list,
	upload,
	uploadVersion,
	remove,
	settings,
	scriptSettings,
	changeScriptSettings,
];

/** Reads, checks and starts what is uploaded; nothing is kept of what does not start. */
async function uploaded(account: Account, name: string, request: Request) {
	if (!/^[a-z0-9_][a-z0-9_-]{0,62}$/.test(name)) {
		throw new Refusal(400, 10016, "Invalid script name");
	}
	const { code, bindings: named, keep_bindings, tags } = await readUpload(request);
	const before = () => account.scripts.get(name)?.versions.at(-1)?.bindings ?? [];
	checkBindings(account, name, newBindings(named, keep_bindings, before()));
	const exports = await startedExports(code, newBindings(named, keep_bindings, before()));
	if (exports.handlers.length === 0 && exports.entrypoints.length === 0) {
		throw new Refusal(400, 10068, "The uploaded script has no registered event handlers.");
	}
	const script = account.scripts.get(name) ?? newScript(name);
	account.scripts.set(name, script);
	const bindings = newBindings(named, keep_bindings, before());
	return { script, tags, version: addVersion(script, { source: "upload", code, bindings, exports }) };
}

function newScript(name: string): Script {
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

function shown(script: Script, version = servingVersion(script)) {
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
		has_assets: false,
		has_modules: true,
		last_deployed_from: "api",
		usage_model: "standard",
	};
}
