import type { Clock } from "@tripline/platform/clock";
import type { MasterKeys } from "@tripline/platform/master-key";
import { credentialStorage } from "./credential-storage.ts";
import { keyCheck } from "./key-check.ts";
import { masterRing } from "./master-ring.ts";
import { rekeySteps } from "./rekey.ts";
import { type Rotated, rotateKeys } from "./rotate.ts";
import type { VaultStorage } from "./storage.ts";
import { parseStoredKey, tenantKeys } from "./tenant-keys.ts";

export interface VaultStatus {
	readonly tenants: number;
	readonly dataKeys: number;
	readonly credentials: number;
	readonly isRotating: boolean;
	readonly isRekeying: boolean;
}

export type FollowedKeys = "unchanged" | "more to do" | "next key may be used" | "finished";

/** The operator's vault commands. Only one may run at a time, beside any number of running services. */
export function vaultOperations(deps: { masterKeys: MasterKeys; storage: VaultStorage; clock: Clock }) {
	const { storage, clock } = deps;
	const masters = masterRing(deps.masterKeys);
	const check = keyCheck({ masters, storage });
	const keys = tenantKeys({ kind: "data", masters, check, storage, clock });
	const runKeys = tenantKeys({ kind: "run", masters, check, storage, clock });
	const credentials = credentialStorage({ storage, keys, clock });
	const steps = rekeySteps({ storage, masters, check });

	return {
		...steps,

		async status(): Promise<VaultStatus> {
			await check.verify();
			const { id } = await masters.current();
			const tenants = new Set<string>();
			const names = new Set<string>();
			let count = 0;
			let isRotating = false;
			for await (const entry of storage.list({ type: "vault_key" })) {
				if (entry.page === "rotation") isRotating = true;
				const key = parseStoredKey(entry);
				if (key === null) continue;
				tenants.add(entry.tenant);
				if (key.kind === "data") count++;
			}
			for (const tenant of tenants) {
				for (const [name, { values }] of await credentials.listByName(tenant)) {
					if (values[0]?.kind === "value") names.add(`${tenant}\n${name}`);
				}
			}
			return {
				tenants: tenants.size,
				dataKeys: count,
				credentials: names.size,
				isRotating,
				isRekeying: await steps.isUnfinished(id),
			};
		},

		async rotate(report: (tenant: string, credentials: number) => void): Promise<Rotated> {
			await check.verify();
			return rotateKeys({ storage, keys, runKeys, credentials, clock, report });
		},

		/**
		 * For a platform where the operator sets the master keys as secrets: while a next key is set, everything is wrapped
		 * under it too; once it is the only key, the other envelopes are removed. Call it periodically: each call writes a
		 * bounded number of keys and the next one continues.
		 */
		async followMasterKeys(max = Number.POSITIVE_INFINITY): Promise<FollowedKeys> {
			const [current, next] = await deps.masterKeys.load();
			if (current === undefined) throw new Error("there is no master key");
			const wraps = await check.verify();
			if (next !== undefined)
				return (await steps.wrapAll(next.id, max)) === max ? "more to do" : "next key may be used";
			if (wraps.length === 1) return "unchanged";
			const wrapped = await steps.wrapAll(current.id, max);
			if (wrapped === max) return "more to do";
			return (await steps.leaveOnly(current.id, max - wrapped)) ? "finished" : "more to do";
		},
	};
}
