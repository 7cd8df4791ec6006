import type { Locator, Page } from "playwright-core";
import type { Seeded } from "./seed.ts";

/** The one of two words that is of the language shown. */
export type Say = (english: string, chinese: string) => string;

/** A page as it may be seen. */
export interface State {
	/** Of the picture. */
	readonly name: string;
	path(seeded: Seeded): string;
	/** What is there when all of it is. */
	there(page: Page, say: Say): Locator;
	/** What is done to get there. */
	act?(page: Page, say: Say): Promise<void>;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const pressed = (page: Page, name: string) => button(page, name).click();
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const row = (page: Page, name: string) => page.getByRole("link", { name }).first();

/** Before anything was made. */
export const EMPTY: readonly State[] = [
	{
		name: "overview-empty",
		path: () => "/",
		there: (page, say) => row(page, say("Create a first workflow", "建立第一個工作流程")),
	},
	{
		name: "workflows-empty",
		path: () => "/workflows",
		there: (page, say) => page.getByText(say("No workflows yet", "還沒有工作流程")),
	},
	{
		name: "executions-empty",
		path: () => "/executions",
		there: (page, say) => page.getByText(say("Nothing has run yet", "還沒有任何執行")),
	},
	{
		name: "knowledge-empty",
		path: () => "/knowledge",
		there: (page, say) => page.getByText(say("Nothing is known yet", "目前沒有任何知識")),
	},
	{
		name: "graph-empty",
		path: () => "/graph",
		there: (page, say) => page.getByText(say("No facts yet", "目前沒有任何事實")),
	},
	{
		name: "credentials-empty",
		path: () => "/credentials",
		there: (page, say) => page.getByText(say("No credentials yet", "還沒有憑證")),
	},
	{
		name: "connect-empty",
		path: () => "/connect",
		there: (page, say) => page.getByText(say("No tokens yet", "還沒有權杖")),
	},
];

/** Every route, with something to show. */
export const PAGES: readonly State[] = [
	{ name: "overview", path: () => "/", there: (page) => row(page, "out of stock") },
	{ name: "workflows", path: () => "/workflows", there: (page) => row(page, "greet") },
	{
		name: "new-workflow",
		path: () => "/new-workflow?from=loop",
		there: (page) => page.getByRole("img", { name: /^orders .+ total$/ }),
	},
	{
		name: "workflow",
		path: () => "/workflows/count%20the%20orders%20of%20the%20day",
		there: (page) => page.getByRole("img", { name: /^orders .+ alarm$/ }),
	},
	{ name: "executions", path: () => "/executions", there: (page) => row(page, "check stock") },
	{
		name: "execution",
		path: ({ failedRun }) => `/executions/${failedRun}`,
		there: (page) => heading(page, "check stock"),
	},
	{ name: "knowledge", path: () => "/knowledge", there: (page) => row(page, "Returns policy") },
	{
		name: "entry",
		path: ({ entry }) => `/knowledge/${entry}`,
		there: (page) => heading(page, "Returns policy"),
	},
	{
		name: "graph",
		path: () => "/graph?node=Taipei+workshop&deprecated=1",
		there: (page) => heading(page, "Taipei workshop"),
	},
	{ name: "components", path: () => "/components", there: (page) => row(page, "http_request") },
	{
		name: "component",
		path: () => "/components/http_request",
		there: (page) => page.getByText("http_request", { exact: true }),
	},
	{
		name: "market-component",
		path: () => "/registry/business_days",
		there: (page) => page.getByText("tripline", { exact: true }),
	},
	{ name: "credentials", path: () => "/credentials", there: (page) => page.getByText("orders") },
	{ name: "connect", path: () => "/connect", there: (page) => page.getByRole("cell", { name: "An assistant", exact: true }) },
	{ name: "settings", path: () => "/settings", there: (page) => page.getByText("0.0.0-test") },
];

/** What else a page shows: a part that was chosen, a dialog, or that there is nothing. */
export const MORE: readonly State[] = [
	{
		name: "overview-week",
		path: () => "/?range=week",
		there: (page) => row(page, "out of stock"),
	},
	{
		name: "workflows-none",
		path: () => "/workflows",
		act: (page, say) =>
			page.getByRole("searchbox", { name: say("Filter workflows", "篩選工作流程") }).fill("no such"),
		there: (page, say) => button(page, say("Show all", "顯示全部")),
	},
	{
		name: "workflow-missing",
		path: () => "/workflows/nothing",
		there: (page, say) => button(page, say("All workflows", "所有工作流程")),
	},
	{
		name: "workflow-failed-run",
		path: ({ failedRun }) => `/workflows/check%20stock?run=${failedRun}`,
		there: (page) => page.getByRole("region", { name: "refuse" }),
	},
	{
		name: "workflow-call",
		path: () => "/workflows/greet",
		act: (page, say) => page.getByRole("tab", { name: say("Call it", "呼叫方式") }).click(),
		there: (page, say) => heading(page, say("Webhook", "Webhook")),
	},
	{
		name: "workflow-delete",
		path: () => "/workflows/greet",
		act: (page, say) => pressed(page, say("Delete", "刪除")),
		there: (page, say) => dialog(page, say("Delete “greet”?", "要刪除「greet」嗎？")),
	},
	{
		name: "executions-none",
		path: () => "/executions?q=nothing+has+this",
		there: (page, say) => page.getByText(say("No execution matches", "沒有符合的執行紀錄")),
	},
	{
		name: "execution-missing",
		path: () => "/executions/01a1dfde-0000-7000-8000-000000000000",
		there: (page) => page.getByRole("alert"),
	},
	{
		name: "knowledge-search",
		path: () => "/knowledge?q=return",
		there: (page) => row(page, "Returns policy"),
	},
	{
		name: "knowledge-nothing-found",
		path: () => "/knowledge?q=zzzzqqqq",
		there: (page, say) => page.getByText(say("Nothing found", "找不到符合的內容")),
	},
	{
		name: "knowledge-new",
		path: () => "/knowledge/new",
		there: (page, say) => button(page, say("Create", "建立")),
	},
	{
		name: "entry-edit",
		path: ({ entry }) => `/knowledge/${entry}`,
		act: (page, say) => pressed(page, say("Edit", "編輯")),
		there: (page, say) => button(page, say("Save", "儲存")),
	},
	{
		name: "graph-start",
		path: () => "/graph",
		there: (page) => page.getByRole("link", { name: "clock kit" }),
	},
	{
		name: "graph-list",
		path: () => "/graph?node=clock+kit&view=list",
		there: (page) => heading(page, "clock kit"),
	},
	{
		name: "graph-fact",
		path: () => "/graph?node=Taipei+workshop",
		act: (page) => pressed(page, "Grace"),
		there: (page) => page.getByRole("link", { name: "https://example.com/handbook" }).first(),
	},
	{
		name: "graph-unknown",
		path: () => "/graph?node=nobody",
		there: (page, say) => page.getByText(say("Nothing is known of “nobody”", "沒有關於「nobody」的事實")),
	},
	{
		name: "market",
		path: () => "/components?in=market",
		there: (page) => row(page, "Batches of a list"),
	},
	{
		name: "component-insert",
		path: () => "/components/http_request",
		act: (page, say) => pressed(page, say("Insert into a workflow", "插入工作流程")),
		there: (page) => page.getByRole("dialog").getByText("component: http_request"),
	},
	{
		name: "market-install",
		path: () => "/registry/public_holidays",
		act: (page, say) => pressed(page, say("Install", "安裝")),
		there: (page) => page.getByRole("dialog"),
	},
	{
		name: "credential-kinds",
		path: () => "/credentials?new=",
		there: (page, say) => dialog(page, say("What is it for?", "用於什麼服務？")),
	},
	{
		name: "credential-form",
		path: () => "/credentials?new=s3_keys",
		act: (page, say) => pressed(page, say("Save", "儲存")),
		there: (page, say) => page.getByText(say("Needed", "必填"), { exact: true }).first(),
	},
	{
		name: "connect-verified",
		path: () => "/connect?client=claude-code",
		act: (page, say) => pressed(page, say("Verify", "檢查")),
		there: (page, say) => button(page, say("Verify again", "再次檢查")),
	},
	{
		name: "connect-revoke",
		path: () => "/connect",
		act: (page, say) =>
			pressed(page, say("Revoke the token of An assistant", "撤銷 An assistant 的權杖")),
		there: (page) => page.getByRole("dialog"),
	},
	{
		name: "palette",
		path: () => "/settings",
		act: async (page) => {
			await page.keyboard.press("Control+k");
			await page.keyboard.type("gre");
		},
		there: (page) => page.getByRole("option", { name: /^greet/ }),
	},
	{
		name: "shortcuts",
		path: () => "/",
		act: (page) => page.keyboard.press("?"),
		there: (page, say) => dialog(page, say("Keyboard shortcuts", "鍵盤快速鍵")),
	},
	{
		name: "nowhere",
		path: () => "/nowhere/at/all",
		there: (page, say) => heading(page, say("There is no such page.", "找不到這個頁面。")),
	},
];
