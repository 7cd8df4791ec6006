/** Google's list methods; most leave an empty list out of their answer. */
export const readTokens = (items: string) =>
	({
		by: "cursor",
		cursor: "nextPageToken",
		optional: true,
		param: "pageToken",
		items,
		optional_items: true,
	}) as const;

/** Collections of Microsoft Graph. */
export const followNextLinks = { by: "link", url: '["@odata.nextLink"]', items: "value" } as const;
