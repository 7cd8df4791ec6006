/** In `npm run deploy --dry-run`, without `--` before it, npm takes the flag and sets this variable. */
export const isDryRunOfNpm = (): boolean => process.env.npm_config_dry_run === "true";
