import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import type { ComponentAnswer } from "@tripline/registry/client";
import { ServiceUnavailable } from "@tripline/web/service-call";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { findNearest } from "../nearest.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor, createRegistry } from "../services.ts";
import { renderMarketComponent, renderReach } from "./market-text.ts";
import { renderSchema } from "./schema-lines.ts";
import { takeFirstSentence } from "./sentence.ts";

type Detail = NonNullable<Awaited<ReturnType<TenantExecutor["components"]["get"]>>>;
type Listed = Awaited<ReturnType<TenantExecutor["components"]["list"]>>["components"];

export async function run({ positionals, io }: Invocation): Promise<Outcome> {
	const id = positionals.id as string;
	const executor = createExecutor(io);
	const [detail, market] = await Promise.all([executor.components.get(id), findInRegistry(id, io)]);
	if (detail !== null)
		return { json: { ...detail, ...pickVersions(market) }, text: toPrintable(renderDetail(detail, market)) };
	const { components } = await executor.components.list();
	const operations = components.filter((each) => each.id.startsWith(`${id}.`));
	if (operations.length > 0)
		return {
			json: { id, operations, ...pickVersions(market) },
			text: toPrintable(renderGroup(id, operations, market)),
		};
	if (market !== null)
		return { json: { ...market, source: "registry" }, text: toPrintable(renderMarketComponent(market)) };
	throw unknownComponentProblem(id, components);
}

/** Null if the registry has none or does not answer; other sources can still be shown. */
async function findInRegistry(id: string, io: Io): Promise<ComponentAnswer | null> {
	try {
		return await createRegistry(io).component(id.split(".", 1)[0] as string);
	} catch (error) {
		if (error instanceof ServiceUnavailable) return null;
		throw error;
	}
}

const pickVersions = (market: ComponentAnswer | null) =>
	market === null ? {} : { versions: market.versions };

function renderDetail(detail: Detail, market: ComponentAnswer | null): string {
	const { id, version, source, title, description, params, output, expressions, hosts } = detail;
	const cel = Object.entries(expressions).map(([name, sees]) => `  ${name} sees ${sees}`);
	return [
		`${id} ${version} (${source}): ${title}\n\n${description}`,
		`parameters:\n${renderSchema(params)}`,
		...(cel.length === 0 ? [] : [`parameters in CEL:\n${cel.join("\n")}`]),
		`output:\n${renderSchema(output)}`,
		...detail.examples.map((example) => renderExample(id, example)),
		renderReach(hosts, describeCredentials(detail)),
		...(source === "installed" && market !== null ? [`newest in the registry: ${market.version}`] : []),
	].join("\n\n");
}

function describeCredentials({ takes_credentials, auth_recipes }: Detail): string {
	if (!takes_credentials) return "none";
	return auth_recipes === null ? "any auth recipe" : auth_recipes.join(", ") || "none";
}

/** Values are JSON, which is valid YAML, so the example can be copied into a workflow. */
function renderExample(id: string, { title, params, output, error }: JsonObject): string {
	const settings = Object.entries((params ?? {}) as Record<string, Json>).map(
		([name, value]) => `  ${name}: ${JSON.stringify(value)}`,
	);
	const result =
		error === undefined
			? output === undefined
				? []
				: [`gives ${JSON.stringify(output)}`]
			: [`fails: ${error}`];
	return [
		`example: ${title}`,
		`  component: ${id}`,
		...settings,
		...result.map((text) => `  # ${text}`),
	].join("\n");
}

function renderGroup(id: string, operations: Listed, market: ComponentAnswer | null): string {
	const lines = operations.map(
		(each) => `  ${each.id.padEnd(40)}${takeFirstSentence(each.description || each.title)}`,
	);
	return [
		`${id} has ${operations.length} operations:\n${lines.join("\n")}`,
		...(market === null ? [] : [`newest in the registry: ${market.version}`]),
		`For details: tripline components show ${operations[0]?.id}`,
	].join("\n\n");
}

function unknownComponentProblem(id: string, components: Listed): CliProblem {
	const near = findNearest(
		id,
		components.map((component) => component.id),
	);
	return new CliProblem(`there is no component ${JSON.stringify(id)}, here or in the registry`, {
		hint:
			near === null ? `try: tripline components search ${id.split(/[._]/, 1)[0]}` : `did you mean: ${near}`,
	});
}
