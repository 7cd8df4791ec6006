import assert from "node:assert/strict";
import type { Target } from "../../conformance/platforms.ts";
import type { Machine } from "../machine.ts";

/** Null removes the variable, and any other binding with this name. */
type Variables = Readonly<Record<string, string | null>>;

/** The owner's actions on the deployment at the provider. */
interface Provider {
	/** Sets these variables of the workers, replacing those with the same name; everything else is as `init` created it. */
	setVariables(variables: Variables): Promise<void>;
	/** The content of the namespace bound under this name. */
	namespace(binding: string): Target["kv"];
	/** Deletes everything that scenarios left in the database and the namespaces. */
	empty(): Promise<void>;
}

export function createProvider({ standIn, env }: Machine): Provider {
	const { databases, namespaces, scripts } = standIn.state();
	const made = scripts.map(({ name, bindings, secrets }) => ({
		name,
		bindings: (bindings as readonly Named[]).map((binding) =>
			binding.type === "secret_text" ? { ...binding, text: secrets[binding.name] } : binding,
		),
	}));
	return { setVariables, namespace, empty };

	async function setVariables(variables: Variables): Promise<void> {
		for (const { name, bindings } of made) {
			const body = new FormData();
			body.set("settings", JSON.stringify({ bindings: mergeVariables(bindings, variables) }));
			await callApi(`/workers/scripts/${name}/settings`, { method: "PATCH", body });
		}
	}

	function namespace(binding: string): Target["kv"] {
		const { id = "" } = namespaces.find(({ title }) => title === `tripline-${binding}`) ?? {};
		const buildPath = (key: string) => `${NAMESPACES}/${id}/values/${encodeURIComponent(key)}`;
		return {
			async get(key) {
				const answer = await sendRequest(buildPath(key));
				return answer.status === 404 ? null : answer.text();
			},
			put: async (key, body) => void (await callApi(buildPath(key), { method: "PUT", body })),
			keys: () => listKeys(id),
		};
	}

	async function empty(): Promise<void> {
		for (const { uuid, name } of databases) {
			const tables = name.endsWith("-executor") ? EXECUTOR_TABLES : TABLES;
			const body = JSON.stringify({ sql: tables.map((table) => `delete from ${table};`).join("\n") });
			const headers = { "content-type": "application/json" };
			await callApi(`/d1/database/${uuid}/query`, { method: "POST", headers, body });
		}
		for (const { id } of namespaces) {
			for (const key of await listKeys(id)) {
				const path = `${NAMESPACES}/${id}/values/${encodeURIComponent(key)}`;
				await callApi(path, { method: "DELETE" });
			}
		}
	}

	async function listKeys(id: string): Promise<readonly string[]> {
		const answer = await callApi(`${NAMESPACES}/${id}/keys`);
		return ((await answer.json()) as { readonly result: Named[] }).result.map(({ name }) => name);
	}

	async function callApi(path: string, init?: RequestInit): Promise<Response> {
		const answer = await sendRequest(path, init);
		assert.ok(answer.ok, `${path}: ${answer.status}`);
		return answer;
	}

	function sendRequest(path: string, init: RequestInit = {}): Promise<Response> {
		const headers = { ...init.headers, authorization: `Bearer ${env.CLOUDFLARE_API_TOKEN}` };
		return fetch(`${standIn.url}/accounts/${standIn.accountId}${path}`, { ...init, headers });
	}
}

const NAMESPACES = "/storage/kv/namespaces";
/** Tables with an owner; dependent rows are deleted with them. */
const TABLES = ["triplets", "sources", "entries"];
const EXECUTOR_TABLES = ["held_runs", "steps", "kept_runs", "kept_sizes"];

interface Named {
	readonly name: string;
	readonly type: string;
}

function mergeVariables(bindings: readonly Named[], variables: Variables): readonly object[] {
	const texts = Object.entries(variables)
		.filter(([, text]) => text !== null)
		.map(([name, text]) => ({ type: "plain_text", name, text }));
	return [...bindings.filter(({ name }) => !(name in variables)), ...texts];
}
