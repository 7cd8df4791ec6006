import type { ForeignData } from "./history.ts";

export interface Tenant {
	readonly name: string;
	/** In everything that the tenant sends: whoever else sees it has seen the tenant's data. */
	readonly mark: string;
}

export const TENANTS: readonly [Tenant, ...Tenant[]] = [
	{ name: "ash", mark: "mark-7f31c9-of-ash" },
	{ name: "birch", mark: "mark-b80e24-of-birch" },
	{ name: "cedar", mark: "mark-15ad6e-of-cedar" },
];

const MAX_TEXT = 500;

/** What a tenant sees must not contain the mark of another one. */
export const findForeignMarks = (tenant: string, where: string, text: string): ForeignData[] =>
	TENANTS.filter(({ name, mark }) => name !== tenant && text.includes(mark)).map(({ name, mark }) => ({
		tenant,
		owner: name,
		where,
		text: text.slice(Math.max(0, text.indexOf(mark) - MAX_TEXT / 2)).slice(0, MAX_TEXT),
	}));
