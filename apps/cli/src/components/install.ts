import type { RegistryClient, VersionAnswer } from "@tripline/registry/client";
import { alignColumns } from "../columns.ts";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { findNearest } from "../nearest.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor, createRegistry } from "../services.ts";

type Version = Pick<VersionAnswer, "id" | "version" | "sha256" | "manifest">;

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const wanted = await resolveVersion(positionals.id as string, createRegistry(io));
	await askConsent(wanted, flags.yes === true, io);
	const { id, version, sha256 } = wanted;
	const installed = await createExecutor(io).components.install(id, { version, sha256 });
	const { components, credentials } = installed;
	const lines = [
		`installed ${id} ${version}, pinned by sha256 ${sha256}`,
		`nodes can run: ${components.join(", ")}`,
		...credentials.map(
			(recipe) =>
				`to store a credential for it: tripline creds push --name <name> --recipe ${toRecipeId(recipe, wanted)}`,
		),
	];
	return { json: installed, text: toPrintable(lines.join("\n")) };
}

/** The requested version, or the newest. */
async function resolveVersion(word: string, registry: RegistryClient): Promise<Version> {
	const [id = "", version, ...more] = word.split("@");
	if (id === "" || version === "" || more.length > 0)
		throw new CliProblem(`${JSON.stringify(word)} is not <id> or <id>@<version>`, { code: 2 });
	const newest = await registry.component(id);
	if (newest === null) throw await unknownComponentProblem(id, registry);
	if (version === undefined || version === newest.version) return newest;
	const found = await registry.version(id, version);
	if (found !== null) return found;
	const versions = newest.versions.map((each) => each.version).join(", ");
	throw new CliProblem(`${id} has no version ${version}`, { hint: `its versions: ${versions}` });
}

/** Prints the request to stderr even with --yes, so that it is in the logs of an unattended run. */
async function askConsent(wanted: Version, isGiven: boolean, io: Io): Promise<void> {
	io.err(`${toPrintable(renderConsent(wanted))}\n`);
	if (isGiven) return;
	const answer = await io.ask(`install ${wanted.id} ${wanted.version}? (yes or no)`);
	if (answer === null)
		throw new CliProblem(`${wanted.id} was not installed. Not a terminal; pass --yes`, {
			code: 2,
			hint: `if you accept its hosts and credentials: tripline components install ${wanted.id}@${wanted.version} --yes`,
		});
	if (!/^y(?:es)?$/i.test(answer.trim())) throw new CliProblem(`${wanted.id} was not installed`);
}

function renderConsent({ id, version, sha256, manifest }: Version): string {
	const { title, kind, publisher, license, hosts, credentials } = manifest;
	return `${id} ${version}: ${title}
${alignColumns([
	["  kind", kind === "code" ? "code, which runs in the sandbox" : "recipe: data, without code"],
	["  publisher", `${publisher}, license ${license}`],
	["  calls", hosts.join(", ") || "nothing"],
	["  credentials", credentials.join(", ") || "none"],
	["  sha256", sha256],
])}`;
}

/** An auth recipe that comes with a component has the component's id as a prefix. */
const toRecipeId = (recipe: string, { id, manifest }: Version): string =>
	Object.hasOwn(manifest.auth_recipes ?? {}, recipe) ? `${id}.${recipe}` : recipe;

async function unknownComponentProblem(id: string, registry: RegistryClient): Promise<CliProblem> {
	const { components } = await registry.list({ limit: 100 });
	const near = findNearest(
		id,
		components.map((component) => component.id),
	);
	return new CliProblem(`the registry has no component ${JSON.stringify(id)}`, {
		hint: near === null ? "tripline components search --source registry lists all" : `did you mean: ${near}`,
	});
}
