import type { ComponentAnswer, VersionAnswer } from "@tripline/registry/client";
import { alignColumns } from "../columns.ts";
import { renderSchema } from "./schema-lines.ts";

type Manifest = VersionAnswer["manifest"];

/** Describes a component of the registry that is not installed. */
export function renderMarketComponent({ manifest, downloads, versions }: ComponentAnswer): string {
	const rows = versions.map(({ version, sha256, published_at }) => [
		`  ${version}`,
		published_at ?? "bundled with the registry",
		`sha256 ${sha256}`,
	]);
	return [
		`${manifest.id} ${manifest.version} (registry): ${manifest.title}\n\n${manifest.description}`,
		renderManifest(manifest),
		renderReach(manifest.hosts, manifest.credentials.join(", ") || "none"),
		`by ${manifest.publisher}, license ${manifest.license}, ${downloads} installs`,
		`versions:\n${alignColumns(rows)}`,
		`To install it: tripline components install ${manifest.id}`,
	].join("\n\n");
}

function renderManifest(manifest: Manifest): string {
	if (manifest.kind === "code")
		return [
			`parameters:\n${renderSchema(manifest.params)}`,
			`output:\n${renderSchema(manifest.output)}`,
			...manifest.examples.map(
				({ title, params }) => `example: ${title}\n  component: ${manifest.id}\n${renderParams(params)}`,
			),
		].join("\n\n");
	return Object.entries(manifest.recipe.operations)
		.map(([name, { title, params }]) => `${manifest.id}.${name}: ${title}\n${renderSchema(params)}`)
		.join("\n\n");
}

const renderParams = (params: object): string =>
	Object.entries(params)
		.map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)
		.join("\n");

export const renderReach = (hosts: readonly string[], credentials: string): string =>
	alignColumns([
		["calls", hosts.join(", ") || "nothing"],
		["credentials", credentials],
	]);
