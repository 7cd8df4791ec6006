import * as z from "zod";
import type { Account } from "./account.ts";
import { Refusal } from "./answer.ts";
import { createRoute } from "./api.ts";
import { type Binding, checkBindings, listSecrets } from "./bindings.ts";
import { findActiveVersion, type Script, type Version } from "./script.ts";
import { getScript, READ, SCRIPTS, WRITE } from "./script-access.ts";
import { addVersion, deploy } from "./versions.ts";

const SECRETS = `${SCRIPTS}/:script/secrets`;

const list = createRoute({
	...READ,
	method: "GET",
	path: SECRETS,
	handle({ account, param }) {
		const { bindings } = getScript(account, param("script")).versions.at(-1) as Version;
		return { result: listSecrets(bindings).map(({ name, type }) => ({ name, type })) };
	},
});

const put = createRoute({
	...WRITE,
	method: "PUT",
	path: SECRETS,
	body: z.strictObject({
		name: z.string().regex(/^[A-Za-z_$][\w$]*$/),
		text: z.string(),
		type: z.literal("secret_text"),
	}),
	handle({ account, param, body }) {
		const script = getScript(account, param("script"));
		const { bindings } = getLatestDeployed(script);
		const others = bindings.filter(({ name }) => name !== body.name);
		const old = bindings.find(({ name }) => name === body.name);
		if (old !== undefined && old.type !== "secret_text") {
			const message = `Binding name '${body.name}' already in use. Please use a different name and try again.`;
			throw new Refusal(400, 10053, message);
		}
		applyChange(account, script, [...others, body]);
		return { result: { name: body.name, type: body.type } };
	},
});

const remove = createRoute({
	...WRITE,
	method: "DELETE",
	path: `${SECRETS}/:name`,
	handle({ account, param }) {
		const script = getScript(account, param("script"));
		const { bindings } = getLatestDeployed(script);
		if (!listSecrets(bindings).some(({ name }) => name === param("name"))) {
			throw new Refusal(404, 10056, `Secret "${param("name")}" not found`);
		}
		applyChange(
			account,
			script,
			bindings.filter(({ name }) => name !== param("name")),
		);
		return { result: null };
	},
});

export const secretRoutes = [list, put, remove];

/** A secret can be changed only on the newest version, and only while that one is active. */
function getLatestDeployed(script: Script): Version {
	const latest = script.versions.at(-1) as Version;
	if (findActiveVersion(script) === latest) return latest;
	const message = "Secret edit failed. The latest version of the Worker is not currently deployed.";
	throw new Refusal(400, 10215, message);
}

function applyChange(account: Account, script: Script, bindings: readonly Binding[]): void {
	checkBindings(account, script.name, bindings);
	const { code, exports } = getLatestDeployed(script);
	const { id } = addVersion(script, { source: "secret", code, exports, bindings });
	deploy(script, [{ version_id: id, percentage: 100 }]);
	account.runtime.changed();
}
