export function formatDuration(ms: number): string {
	if (ms < 1) return "<1 ms";
	if (ms < 1000) return `${Math.round(ms)} ms`;
	if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
	return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function formatBytes(bytes: number): string {
	const power = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
	return `${formatRounded(bytes / 1000 ** power)} ${["B", "kB", "MB", "GB"][power]}`;
}

export const formatNumber = (value: number): string =>
	String(value).replace(/\B(?<!\..*)(?=(\d{3})+(?!\d))/g, ",");

/** Formats a share between 0 and 1 with at most one decimal. */
export const formatPercent = (share: number): string => `${formatRounded(share * 100)}%`;

const formatRounded = (value: number): string => formatNumber(Number(value.toFixed(1)));
