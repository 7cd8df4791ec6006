export function formatDuration(ms: number): string {
	if (ms < 1) return "<1 ms";
	if (ms < 1000) return `${Math.round(ms)} ms`;
	if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
	return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Formats the time since something started, in whole seconds: "12 s", "3 min 5 s", "2 h 10 min", "4 d 6 h". */
export function formatElapsed(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	const [minutes, hours, days] = [60, 3600, 86_400].map((unit) => Math.floor(seconds / unit)) as [
		number,
		number,
		number,
	];
	if (minutes < 1) return `${seconds} s`;
	if (hours < 1) return `${minutes} min ${seconds % 60} s`;
	if (days < 1) return `${hours} h ${minutes % 60} min`;
	return `${days} d ${hours % 24} h`;
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
