import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import type { ExtensionStorage } from "../storage/extensions.ts";
import { type Extensions, ownedExtensions } from "./extensions.ts";
import { TenantCatalogue } from "./tenant-catalogue.ts";

const NOTHING: Extensions = { apiRecipes: new Map(), authRecipes: new Map(), installed: new Map() };

export type Library = ReturnType<typeof createLibrary>;

/** The tenants' components and auth recipes. */
export function createLibrary(deps: { storage: ExtensionStorage; clock: Clock; log: Log }) {
	const owned = ownedExtensions(deps);
	let seeding: Promise<unknown> | null = null;
	/** By the tenant's own extensions; the seeded ones are the same for all. */
	const catalogues = new WeakMap<Extensions, { seeded: Extensions; catalogue: TenantCatalogue }>();

	return {
		/** Returns the same object until something in it changes. Null namespace: for an anonymous run. */
		async catalogue(namespace: string | null): Promise<TenantCatalogue> {
			const [own, common] = await Promise.all([namespace === null ? NOTHING : owned.of(namespace), seeded()]);
			const known = catalogues.get(own);
			if (known?.seeded === common) return known.catalogue;
			const catalogue = new TenantCatalogue(own, common);
			catalogues.set(own, { seeded: common, catalogue });
			return catalogue;
		},

		own: owned.of,
		seeded,
		forget: owned.forget,

		/** Makes readers of seeded recipes wait for `work`. Not for Workers, where a request must not await another's promise. */
		waitFor(work: Promise<unknown>): void {
			seeding = work.catch(() => {});
		},
	};

	async function seeded(): Promise<Extensions> {
		if (seeding !== null) await seeding;
		return owned.of(SYSTEM_OWNER);
	}
}
