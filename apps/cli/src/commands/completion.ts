import type { Command } from "../command.ts";

export const completionCommand: Command = {
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
	load: () => import("../completion/completion.ts"),
};
