import type { Invocation, Outcome } from "../command.ts";
import { globalPath, projectPath, type Resolved, resolveSetting, saveSettings } from "../config.ts";
import { maskValue } from "../settings.ts";
import { parseSettingName } from "./setting-name.ts";

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const name = parseSettingName(positionals.name as string);
	const path = flags.global === true ? globalPath(io) : projectPath(io);
	const isChanged = saveSettings(path, { [name]: undefined });
	const now = resolveSetting(io, name);
	const lines = [`${name} is ${isChanged ? "no longer" : "not"} in ${path}`, describeNow(name, now)];
	if (now.from === globalPath(io))
		lines.push(`to remove it there too: tripline config unset ${name} --global`);
	return {
		json: {
			name,
			path,
			changed: isChanged,
			value: now.value === null ? null : maskValue(now.value),
			layer: now.layer,
			from: now.from,
		},
		text: lines.join("\n"),
	};
}

function describeNow(name: string, { value, layer, from }: Resolved): string {
	if (value === null) return `${name} is not set`;
	return `it is now ${maskValue(value)}, ${from === null ? "the default" : `from ${from} (${layer})`}`;
}
