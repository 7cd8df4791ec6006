import { Failed, type Issue, invalid } from "@tripline/contract/failures";
import type { Json } from "@tripline/contract/json";
import type { Slot } from "@tripline/contract/templates";

type Values = Readonly<Record<string, Json>>;

/** The slots of `wanted` missing from `present`. Slots never change type: existing records would become invalid. */
export function findMissingSlots(present: readonly Slot[], wanted: readonly Slot[]): Slot[] {
	const known = new Map(present.map((slot) => [slot.name, slot]));
	return wanted.filter((slot) => {
		const twin = known.get(slot.name);
		if (twin !== undefined && twin.type !== slot.type) {
			const message = `slot "${slot.name}" exists with type ${twin.type}; slots can be added, not changed`;
			throw new Failed({ kind: "conflict", message });
		}
		return twin === undefined;
	});
}

/** Slot names must be unique, and defaults must match their slot's type. */
export function checkSlots(slots: readonly Slot[]): void {
	const issues: Issue[] = [];
	for (const [index, slot] of slots.entries()) {
		if (slots.findIndex((other) => other.name === slot.name) < index) {
			issues.push({ path: `slots.${index}.name`, message: `"${slot.name}" is listed twice` });
		}
		if (slot.default !== undefined && slot.default !== null && !matchesType(slot.type, slot.default)) {
			issues.push({ path: `slots.${index}.default`, message: `must be of type ${slot.type}` });
		}
	}
	if (issues.length > 0) throw invalid(issues);
}

/** Validates a new record's values and fills in defaults. */
export function buildNewValues(slots: readonly Slot[], given: Values): Values {
	const issues = [...findValueIssues(slots, given), ...findRequiredIssues(slots, given)];
	if (issues.length > 0) throw invalid(issues);
	return addDefaults(slots, given);
}

/** A record's values after a patch; null clears a slot. Only the patched slots are validated. */
export function patchValues(slots: readonly Slot[], stored: Values, given: Values): Values {
	const cleared = slots.filter((slot) => slot.required && given[slot.name] === null);
	const issues = [
		...findValueIssues(slots, given),
		...cleared.map((slot) => ({ path: `values.${slot.name}`, message: "is required" })),
	];
	if (issues.length > 0) throw invalid(issues);
	return { ...stored, ...given };
}

/** Slots added after the record was written read as their default. */
export function addDefaults(slots: readonly Slot[], stored: Values): Values {
	const absent = slots.filter((slot) => slot.default !== undefined && !Object.hasOwn(stored, slot.name));
	return { ...Object.fromEntries(absent.map((slot) => [slot.name, slot.default as Json])), ...stored };
}

function findValueIssues(slots: readonly Slot[], given: Values): Issue[] {
	const types = new Map(slots.map((slot) => [slot.name, slot.type]));
	return Object.entries(given).flatMap(([name, value]) => {
		const type = types.get(name);
		const path = `values.${name}`;
		if (type === undefined) return [{ path, message: "unknown slot" }];
		return value === null || matchesType(type, value) ? [] : [{ path, message: `must be of type ${type}` }];
	});
}

function findRequiredIssues(slots: readonly Slot[], given: Values): Issue[] {
	return slots
		.filter((slot) => slot.required && slot.default === undefined && (given[slot.name] ?? null) === null)
		.map((slot) => ({ path: `values.${slot.name}`, message: "is required" }));
}

function matchesType(type: Slot["type"], value: Json): boolean {
	switch (type) {
		case "any":
			return true;
		case "integer":
			return Number.isInteger(value);
		case "array":
			return Array.isArray(value);
		case "object":
			return typeof value === "object" && value !== null && !Array.isArray(value);
		default:
			return typeof value === type;
	}
}
