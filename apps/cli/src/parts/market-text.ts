import type { ComponentAnswer, VersionAnswer } from "@tripline/registry/client";
import { columns } from "../columns.ts";
import { schemaLines } from "./schema-lines.ts";

type Manifest = VersionAnswer["manifest"];

/** Describes a component of the registry that is not installed. */
export function marketText({ manifest, downloads, versions }: ComponentAnswer): string {
	const rows = versions.map(({ version, sha256, published_at }) => [
		`  ${version}`,
		published_at ?? "bundled with the registry",
		`sha256 ${sha256}`,
	]);
	return [
		`${manifest.id} ${manifest.version} (registry): ${manifest.title}\n\n${manifest.description}`,
		manifestText(manifest),
		reachText(manifest.hosts, manifest.credentials.join(", ") || "none"),
		`by ${manifest.publisher}, license ${manifest.license}, ${downloads} installs`,
		`versions:\n${columns(rows)}`,
		`To install it: tripline components install ${manifest.id}`,
	].join("\n\n");
}

function manifestText(manifest: Manifest): string {
	if (manifest.kind === "code")
		return [
			`parameters:\n${schemaLines(manifest.params)}`,
			`output:\n${schemaLines(manifest.output)}`,
			...manifest.examples.map(
				({ title, params }) => `example: ${title}\n  component: ${manifest.id}\n${settings(params)}`,
			),
		].join("\n\n");
	return Object.entries(manifest.recipe.operations)
		.map(([name, { title, params }]) => `${manifest.id}.${name}: ${title}\n${schemaLines(params)}`)
		.join("\n\n");
}

const settings = (params: object): string =>
	Object.entries(params)
		.map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)
		.join("\n");

export const reachText = (hosts: readonly string[], credentials: string): string =>
	columns([
		["calls", hosts.join(", ") || "nothing"],
		["credentials", credentials],
	]);
