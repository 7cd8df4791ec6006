/** `npm run deploy --dry-run`, without `--` before the flag, gives it to npm, and npm tells it by this variable. */
export const isDryRunOfNpm = (): boolean => process.env.npm_config_dry_run === "true";
