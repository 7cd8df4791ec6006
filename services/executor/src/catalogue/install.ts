import { builtInCatalogue } from "@tripline/components/catalogue";
import { hashManifest } from "@tripline/components/installed/canonical";
import { findManifestProblems } from "@tripline/components/installed/problems";
import { Failed, invalid, notFound } from "@tripline/contract/failures";
import { Manifest } from "@tripline/contract/registry";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { RegistryClient } from "@tripline/registry/client";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";
import type { Catalogues } from "./catalogues.ts";
import type { Installed } from "./owned-components.ts";

export type Installs = ReturnType<typeof installs>;

/** Installs components from the registry for a tenant. */
export function installs(deps: {
	readonly registry: RegistryClient;
	readonly storage: OwnedComponentStorage;
	readonly catalogues: Catalogues;
	readonly background: Background;
	readonly clock: Clock;
}) {
	const { registry, storage, catalogues } = deps;
	return {
		/** The registry is not trusted: the manifest must be valid and match the caller's hash. */
		async install(
			namespace: string,
			id: string,
			{ version, sha256 }: { version: string; sha256: string },
		): Promise<Installed & { readonly created: boolean }> {
			const manifest = await fetchManifest(id, version);
			if ((await hashManifest(manifest)) !== sha256) {
				throw new Failed({
					kind: "conflict",
					message: `version ${version} of ${id} does not have this SHA-256: nothing was installed`,
				});
			}
			if (builtInCatalogue.get(id) !== undefined) {
				throw new Failed({ kind: "conflict", message: `${id} is a built-in component` });
			}
			if ((await catalogues.readSeeded()).apiRecipes.has(id)) {
				throw new Failed({ kind: "conflict", message: `${id} is a seeded recipe` });
			}
			if ((await catalogues.own(namespace)).apiRecipes.has(id)) {
				const message = `you have your own recipe ${id}: delete it first`;
				throw new Failed({ kind: "conflict", message });
			}
			const installed = { manifest, sha256, installed_at: new Date(deps.clock.now()).toISOString() };
			const created = await storage.put(namespace, "installed_component", id, installed);
			catalogues.forget(namespace);
			deps.background.run("install count", () => registry.countInstall(id, version));
			return { ...installed, created };
		},

		/** Whether it was there. */
		async uninstall(namespace: string, id: string): Promise<boolean> {
			const wasThere = await storage.delete(namespace, "installed_component", id);
			catalogues.forget(namespace);
			return wasThere;
		},
	};

	async function fetchManifest(id: string, version: string): Promise<Manifest> {
		const found = await registry.version(id, version);
		if (found === null) throw notFound(`the registry has no version ${version} of ${id}`);
		const read = Manifest.safeParse(found.manifest);
		const problems = read.success
			? findManifestProblems(read.data)
			: [{ path: "", message: "is not a valid manifest" }];
		if (!read.success || problems.length > 0) throw invalid(problems);
		if (read.data.id !== id || read.data.version !== version) {
			throw invalid([{ path: "id", message: "is not the requested component or version" }]);
		}
		return read.data;
	}
}
