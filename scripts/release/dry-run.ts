/** In `npm run deploy --dry-run`, without `--` before it, npm takes the flag and sets this variable. */
export const isNpmDryRun = (): boolean => process.env.npm_config_dry_run === "true";
