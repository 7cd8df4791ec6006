import { isWithin } from "@tripline/components/outbound/hosts";
import type { Manifest } from "@tripline/contract/registry";
import { findTexts } from "../domain/code-texts.ts";
import { findAddresses, findHostProblem } from "../domain/hosts.ts";
import { type Check, toCheck } from "./check.ts";

/** Every declared host must be public. Other addresses in the code, which it cannot call, are listed for the reviewer. */
export function checkHosts(manifest: Manifest): Check {
	const { hosts } = manifest;
	const problems = hosts.flatMap((host) => findHostProblem(host) ?? []);
	const others = new Set(
		listAddressesInCode(manifest)
			.filter((address) => !isWithin(address, hosts))
			.map(({ host }) => host),
	);
	const called = hosts.length === 0 ? "it calls no host" : `it calls ${hosts.join(", ")}`;
	return toCheck(
		"hosts",
		problems,
		others.size === 0
			? called
			: `${called}; its code also names ${[...others].join(", ")}, which it cannot call`,
	);
}

/** Code that declares no hosts has no `http` function, so its addresses do not matter. */
const listAddressesInCode = (manifest: Manifest): URL[] =>
	manifest.kind === "code" && manifest.hosts.length > 0
		? findTexts(manifest.code).flatMap(findAddresses)
		: [];
