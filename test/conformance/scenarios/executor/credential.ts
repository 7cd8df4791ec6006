import assert from "node:assert/strict";
import type { World } from "../../scenario.ts";

interface OwnAuthRecipe {
	readonly type: string;
	/** The names of its fields. */
	readonly fields: readonly string[];
	readonly hosts: readonly string[];
	readonly inject?: object;
}

/** Fields that are not secret. */
const OPEN = /^(?:username|client_id|email|access_key_id|region|host)$/;

/** An auth recipe of the tenant's own. */
export async function putAuthRecipe(world: World, id: string, recipe: OwnAuthRecipe): Promise<void> {
	const fields = recipe.fields.map((name) => ({ name, secret: !OPEN.test(name), help: `The ${name}` }));
	await put(world, `/auth-recipes/${id}`, { ...recipe, title: id, fields });
}

export async function putCredential(
	world: World,
	name: string,
	auth_recipe: string,
	fields: Readonly<Record<string, string>>,
): Promise<void> {
	await put(world, `/credentials/${encodeURIComponent(name)}`, { auth_recipe, fields });
}

async function put({ executor }: World, path: string, body: object): Promise<void> {
	const { status, body: answer } = await executor.call("PUT", path, { body });
	assert.ok(status === 201 || status === 200, `${path}: ${JSON.stringify(answer)}`);
}
