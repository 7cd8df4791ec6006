import * as z from "zod";

const wholeNumber = /^\d{1,15}$/;

/** The query parameter `limit` of a list. */
export const limit = (fallback: number, most: number) =>
	z
		.string()
		.regex(wholeNumber, "must be a whole number")
		.transform(Number)
		.refine((count) => count >= 1 && count <= most, `must be 1 to ${most}`)
		.default(fallback)
		.meta({ description: `Maximum number of results: 1 to ${most}, default ${fallback}` });

/** The query parameter `order` of a list. */
export const Order = z.enum(["newest", "oldest"]);
export type Order = z.output<typeof Order>;

export const OrderQuery = Order.default("newest").meta({
	description: "Order by creation time, then by insertion; default newest first",
});

/** The position after which a list continues: the two sort keys of the newest-first order. */
export interface Place {
	readonly created_at: number;
	readonly seq: number;
}

export const encodeCursor = (place: Place): string =>
	btoa(`${place.created_at}.${place.seq}`).replaceAll("=", "");

export const Cursor = z
	.string()
	.max(64, "is not a cursor of this list")
	.transform((text, context): Place => {
		const place = decodeCursor(text);
		if (place !== null) return place;
		context.addIssue({ code: "custom", message: "is not a cursor of this list" });
		return z.NEVER;
	})
	.meta({ description: "`next_cursor` of the previous page" });

export const NextCursor = z
	.string()
	.nullable()
	.meta({ description: "Cursor of the next page; null at the end" });

/** A time in a query: Unix seconds or ISO 8601, converted to Unix seconds. */
export const Instant = z
	.string()
	.transform((text, context): number => {
		const seconds = wholeNumber.test(text) ? Number(text) : parseIsoSeconds(text);
		if (seconds !== null) return seconds;
		context.addIssue({ code: "custom", message: "must be Unix seconds or an ISO 8601 time" });
		return z.NEVER;
	})
	.meta({ description: "Unix seconds or ISO 8601" });

function decodeCursor(text: string): Place | null {
	if (!/^[A-Za-z0-9+/]+$/.test(text) || text.length % 4 === 1) return null;
	const parts = /^(\d{1,15})\.(\d{1,15})$/.exec(atob(text));
	return parts === null ? null : { created_at: Number(parts[1]), seq: Number(parts[2]) };
}

function parseIsoSeconds(text: string): number | null {
	const time = z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN;
	return Number.isNaN(time) ? null : Math.floor(time / 1000);
}
