import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import type { Signals } from "@tripline/platform/signals";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";
import { createOwnedComponents, type OwnedComponents } from "./owned-components.ts";
import { TenantCatalogue } from "./tenant-catalogue.ts";

const NOTHING: OwnedComponents = {
	apiRecipes: new Map(),
	authRecipes: new Map(),
	installed: new Map(),
	mcpServers: new Map(),
};

export type Catalogues = ReturnType<typeof createCatalogues>;

/** The tenants' components and auth recipes. */
export function createCatalogues(deps: {
	storage: OwnedComponentStorage;
	clock: Clock;
	log: Log;
	signals?: Signals | undefined;
}) {
	const owned = createOwnedComponents(deps);
	let seeding: Promise<unknown> | null = null;
	/** By the tenant's own components and recipes; the seeded ones are the same for all. */
	const catalogueByOwned = new WeakMap<
		OwnedComponents,
		{ seeded: OwnedComponents; catalogue: TenantCatalogue }
	>();

	return {
		/** Returns the same object until something in it changes. Null namespace: for an anonymous run. */
		async catalogue(namespace: string | null): Promise<TenantCatalogue> {
			const [own, common] = await Promise.all([
				namespace === null ? NOTHING : owned.get(namespace),
				readSeeded(),
			]);
			const known = catalogueByOwned.get(own);
			if (known?.seeded === common) return known.catalogue;
			const catalogue = new TenantCatalogue(own, common);
			catalogueByOwned.set(own, { seeded: common, catalogue });
			return catalogue;
		},

		own: owned.get,
		readSeeded,
		forget: owned.forget,

		/** Makes readers of seeded recipes wait for `work`. Not for Workers, where a request must not await another's promise. */
		waitFor(work: Promise<unknown>): void {
			seeding = work.catch(() => {});
		},
	};

	async function readSeeded(): Promise<OwnedComponents> {
		if (seeding !== null) await seeding;
		return owned.get(SYSTEM_OWNER);
	}
}
