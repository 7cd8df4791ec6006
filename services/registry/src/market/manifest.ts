import type { Manifest } from "@tripline/contract/registry";

type Code = Extract<Manifest, { kind: "code" }>;
type Recipe = Extract<Manifest, { kind: "recipe" }>;
type Same = "kind" | "version" | "publisher" | "license" | "hosts" | "credentials";

const same = { version: "1.0.0", publisher: "tripline", license: "MIT" };

export function code(written: Omit<Code, Same> & Partial<Pick<Code, "hosts">>): Manifest {
	return { kind: "code", ...same, hosts: [], credentials: [], ...written };
}

export function recipe(written: Omit<Recipe, Exclude<Same, "hosts">>): Manifest {
	const credentials = Object.keys(written.auth_recipes ?? {});
	return { kind: "recipe", ...same, credentials, ...written };
}
