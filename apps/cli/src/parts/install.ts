import type { RegistryClient, VersionAnswer } from "@tripline/registry/client";
import { columns } from "../columns.ts";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { nearestOf } from "../nearest.ts";
import { printable } from "../printable.ts";
import { executorOf, registryOf } from "../services.ts";

type Version = Pick<VersionAnswer, "id" | "version" | "sha256" | "manifest">;

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const wanted = await versionOf(positionals.id as string, registryOf(io));
	await askConsent(wanted, flags.yes === true, io);
	const { id, version, sha256 } = wanted;
	const installed = await executorOf(io).components.install(id, { version, sha256 });
	const { components, credentials } = installed;
	const lines = [
		`installed ${id} ${version}, pinned by sha256 ${sha256}`,
		`nodes can run: ${components.join(", ")}`,
		...credentials.map(
			(recipe) =>
				`a credential for it: tripline creds push --name <name> --recipe ${recipeId(recipe, wanted)}`,
		),
	];
	return { json: installed, text: printable(lines.join("\n")) };
}

/** The version that was asked for, or the newest. */
async function versionOf(word: string, registry: RegistryClient): Promise<Version> {
	const [id = "", version, ...more] = word.split("@");
	if (id === "" || version === "" || more.length > 0)
		throw new CliProblem(`${JSON.stringify(word)} is not <id> or <id>@<version>`, { code: 2 });
	const newest = await registry.component(id);
	if (newest === null) throw await unknown(id, registry);
	if (version === undefined || version === newest.version) return newest;
	const found = await registry.version(id, version);
	if (found !== null) return found;
	const versions = newest.versions.map((each) => each.version).join(", ");
	throw new CliProblem(`${id} has no version ${version}`, { hint: `its versions: ${versions}` });
}

/** Shown on stderr even with --yes, so that it stands in the log of whoever runs it. */
async function askConsent(wanted: Version, isGiven: boolean, io: Io): Promise<void> {
	io.err(`${printable(consentText(wanted))}\n`);
	if (isGiven) return;
	const answer = await io.ask(`install ${wanted.id} ${wanted.version}? (yes or no)`);
	if (answer === null)
		throw new CliProblem(`${wanted.id} is not installed: nobody can be asked`, {
			code: 2,
			hint: `if its hosts and credentials are wanted: tripline parts install ${wanted.id}@${wanted.version} --yes`,
		});
	if (!/^y(?:es)?$/i.test(answer.trim())) throw new CliProblem(`${wanted.id} is not installed`);
}

function consentText({ id, version, sha256, manifest }: Version): string {
	const { title, kind, publisher, license, hosts, credentials } = manifest;
	return `${id} ${version}: ${title}
${columns([
	["  kind", kind === "code" ? "code, which runs in the sandbox" : "recipe: data, without code"],
	["  publisher", `${publisher}, license ${license}`],
	["  calls", hosts.join(", ") || "nothing"],
	["  credentials", credentials.join(", ") || "none"],
	["  sha256", sha256],
])}`;
}

/** An auth recipe that a component brings along has that component's id before its own. */
const recipeId = (recipe: string, { id, manifest }: Version): string =>
	Object.hasOwn(manifest.auth_recipes ?? {}, recipe) ? `${id}.${recipe}` : recipe;

async function unknown(id: string, registry: RegistryClient): Promise<CliProblem> {
	const { components } = await registry.list({ limit: 100 });
	const near = nearestOf(
		id,
		components.map((component) => component.id),
	);
	return new CliProblem(`the registry has no component ${JSON.stringify(id)}`, {
		hint: near === null ? "tripline parts search --source registry lists all" : `did you mean: ${near}`,
	});
}
