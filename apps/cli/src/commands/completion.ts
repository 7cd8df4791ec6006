import type { Command } from "../command.ts";

/** The list of commands is passed as a function, because the command is itself in it. */
export const buildCompletionCommand = (listCommands: () => readonly Command[]): Command => ({
	name: "completion",
	about: "print a shell script that completes commands and flags",
	positionals: [{ name: "shell", about: "bash, zsh or fish" }],
	flags: [],
	examples: [
		{ line: 'eval "$(tripline completion bash)"', about: "in ~/.bashrc" },
		{ line: 'eval "$(tripline completion zsh)"', about: "in ~/.zshrc, after compinit" },
		{
			line: "tripline completion fish > ~/.config/fish/completions/tripline.fish",
			about: "once, and after an update",
		},
	],
	load: async () => {
		const { buildCompletion } = await import("../completion/completion.ts");
		return { run: async ({ positionals }) => buildCompletion(positionals.shell as string, listCommands()) };
	},
});
