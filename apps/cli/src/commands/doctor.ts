import type { Command } from "../command.ts";

export const doctorCommand: Command = {
	name: "doctor",
	about: "check the service on this machine, and say what is wrong and what to do",
	positionals: [],
	flags: [],
	examples: [
		{ line: "tripline doctor", about: "one line for each check: ok, warning or problem" },
		{ line: "tripline doctor --json", about: "for other programs" },
	],
	details: `It runs in the project's folder with the settings of tripline serve, while the service runs or is stopped, and
changes nothing. It checks the settings, the clock, the disk, permissions, keys, databases, ports, the public
address with its certificate, other hosts that the settings name, and whether clients can connect.
The exit code is 1 if there is a problem. No secret is printed.`,
	load: () => import("../serve/doctor.ts"),
};
