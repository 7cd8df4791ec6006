import type { Manifest } from "@tripline/contract/registry";
import { isConfusable } from "../domain/confusable.ts";
import { compareVersions } from "../domain/versions.ts";
import { type Check, checkOf } from "./check.ts";

/** A name that is not free, and what has it. */
export interface Taken {
	readonly id: string;
	readonly by: string;
}

/** That nobody can take it, or an auth recipe that it brings, for something else. */
export function nameCheck(manifest: Manifest, taken: readonly Taken[], takenAuth: readonly Taken[]): Check {
	const brought = Object.keys(manifest.auth_recipes ?? {});
	const problems = [
		...clashes(manifest.id, taken),
		...brought.flatMap((id) => clashes(id, takenAuth).map((problem) => `auth_recipes: ${problem}`)),
	];
	return checkOf("name", problems, `${manifest.id} is a name of its own`);
}

const clashes = (id: string, taken: readonly Taken[]): string[] =>
	taken
		.filter((other) => isConfusable(id, other.id))
		.map((other) =>
			other.id === id
				? `${id} is the name of ${other.by}: choose another`
				: `${id} can be mistaken for ${other.id}, ${other.by}: choose a name that differs more`,
		);

/** A version comes after those that are published. */
export function versionCheck(version: string, published: readonly string[]): Check {
	const later = published.filter((other) => compareVersions(version, other) <= 0);
	const problems =
		later.length === 0 ? [] : [`${version} is not higher than ${later[0]}, which is published`];
	return checkOf(
		"version",
		problems,
		published.length === 0 ? "the first version" : `higher than ${published[0]}`,
	);
}

/** What people see as the publisher can be read by all and is nobody else's. */
export function publisherCheck(publisher: string, reserved: readonly string[]): Check {
	const problems = [
		...(PUBLISHER.test(publisher)
			? []
			: ["the publisher must be letters a to z, digits, spaces, . _ or -, starting with a letter or digit"]),
		...reserved
			.filter((name) => isConfusable(publisher.toLowerCase(), name.toLowerCase()))
			.map(
				(name) => `the publisher ${publisher} can be mistaken for ${name}, which publishes with the registry`,
			),
	];
	return checkOf("publisher", problems, publisher);
}

const PUBLISHER = /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/;
