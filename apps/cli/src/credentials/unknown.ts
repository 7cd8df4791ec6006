import { CliProblem } from "../command.ts";

export const createUnknownProblem = (name: string): CliProblem =>
	new CliProblem(`there is no credential ${JSON.stringify(name)}`, {
		hint: "tripline creds push stores one, tripline creds list shows them",
	});
