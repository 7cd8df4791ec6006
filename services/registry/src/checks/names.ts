import type { Manifest } from "@tripline/contract/registry";
import { isConfusable } from "../domain/confusable.ts";
import { compareVersions } from "../domain/versions.ts";
import { type Check, toCheck } from "./check.ts";

/** A name in use and who uses it. */
export interface Taken {
	readonly id: string;
	readonly by: string;
}

/** Neither the component's name nor those of its auth recipes may be confusable with another. */
export function checkName(manifest: Manifest, taken: readonly Taken[], takenAuth: readonly Taken[]): Check {
	const brought = Object.keys(manifest.auth_recipes ?? {});
	const problems = [
		...findClashes(manifest.id, taken),
		...brought.flatMap((id) => findClashes(id, takenAuth).map((problem) => `auth_recipes: ${problem}`)),
	];
	return toCheck("name", problems, `${manifest.id} cannot be mistaken for another name`);
}

const findClashes = (id: string, taken: readonly Taken[]): string[] =>
	taken
		.filter((other) => isConfusable(id, other.id))
		.map((other) =>
			other.id === id
				? `${id} is the name of ${other.by}: choose another`
				: `${id} can be mistaken for ${other.id}, ${other.by}: choose a name that differs more`,
		);

/** A version must be higher than those published. */
export function checkVersion(version: string, published: readonly string[]): Check {
	const later = published.filter((other) => compareVersions(version, other) <= 0);
	const problems =
		later.length === 0 ? [] : [`${version} is not higher than ${later[0]}, which is published`];
	return toCheck(
		"version",
		problems,
		published.length === 0 ? "the first version" : `higher than ${published[0]}`,
	);
}

/** A publisher's name must be readable and not confusable with a reserved one. */
export function checkPublisher(publisher: string, reserved: readonly string[]): Check {
	const problems = [
		...(PUBLISHER.test(publisher)
			? []
			: ["the publisher must be letters a to z, digits, spaces, . _ or -, starting with a letter or digit"]),
		...reserved
			.filter((name) => isConfusable(publisher.toLowerCase(), name.toLowerCase()))
			.map(
				(name) => `the publisher ${publisher} can be mistaken for ${name}, a publisher of bundled components`,
			),
	];
	return toCheck("publisher", problems, publisher);
}

const PUBLISHER = /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/;
