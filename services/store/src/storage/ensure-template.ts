import { uuidv7 } from "@tripline/contract/ids";
import type { Slot, Template } from "@tripline/contract/templates";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import { findMissingSlots } from "../domain/templates.ts";
import { retryUntilUnchanged } from "./retry.ts";
import type { TemplateStorage } from "./templates.ts";

interface Deps {
	readonly templates: TemplateStorage;
	readonly clock: Clock;
}

export interface Ensured {
	readonly template: Template;
	readonly created: boolean;
	/** Names of the slots that were added. */
	readonly added: readonly string[];
}

/** Creates the template, or adds missing slots to the existing one. Without an owner it is shared. */
export function ensureTemplate(
	deps: Deps,
	owner: string | null,
	name: string,
	slots: readonly Slot[],
): Promise<Ensured> {
	return retryUntilUnchanged(async () => {
		const existing = await deps.templates.findByName(owner, name);
		if (existing === null) return create(deps, owner, name, slots);
		const patched = await addMissingSlots(deps, existing, slots);
		return patched && { ...patched, created: false };
	});
}

/** Null if another call changed the slots in between. */
export async function addMissingSlots(
	{ templates, clock }: Deps,
	template: Template,
	wanted: readonly Slot[],
): Promise<Omit<Ensured, "created"> | null> {
	const missing = findMissingSlots(template.slots, wanted);
	if (missing.length === 0) return { template, added: [] };
	const slots = [...template.slots, ...missing];
	const now = unixSeconds(clock);
	if (!(await templates.replaceSlots(template.id, template.slots, slots, now))) return null;
	return { template: { ...template, slots, updated_at: now }, added: missing.map((slot) => slot.name) };
}

async function create(
	{ templates, clock }: Deps,
	owner: string | null,
	name: string,
	slots: readonly Slot[],
): Promise<Ensured | null> {
	const now = unixSeconds(clock);
	const template = {
		id: uuidv7(clock.now()),
		owner_id: owner,
		name,
		slots: [...slots],
		created_at: now,
		updated_at: now,
	};
	if (!(await templates.create(template))) return null;
	return { template, created: true, added: slots.map((slot) => slot.name) };
}
