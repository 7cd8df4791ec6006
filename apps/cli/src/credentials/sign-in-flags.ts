export const signInFlags = [
	{ name: "open", about: "open the browser on this machine" },
	{ name: "no-wait", about: "print the link and exit" },
] as const;
