import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { answer, object, orNull, params, pass } from "./schema.ts";

const ORDER =
	"id name createdAt displayFinancialStatus displayFulfillmentStatus totalPriceSet { shopMoney { amount currencyCode } } customer { id displayName defaultEmailAddress { emailAddress } } note tags";
const PRODUCT = "id title handle status vendor productType tags totalInventory onlineStoreUrl updatedAt";
const CUSTOMER =
	"id displayName firstName lastName defaultEmailAddress { emailAddress } defaultPhoneNumber { phoneNumber } numberOfOrders tags";
const PAGE = "pageInfo { hasNextPage endCursor }";

const paging = {
	query: text("Shopify's search syntax, such as status:open created_at:>2026-01-31"),
	first: integer("Maximum number of results", { minimum: 1, maximum: 250, default: 50 }),
	after: text("pageInfo.endCursor of the previous page"),
};
const pageInfo = object("For paging", {
	hasNextPage: flag("Whether there are more"),
	endCursor: orNull(text("Pass as after to get the next page")),
});
const tags = list(text("A tag"), "Tags");
const order = answer({
	id: text("gid://shopify/Order/…"),
	name: text("Such as #1001"),
	displayFinancialStatus: orNull(text("Such as PAID")),
	displayFulfillmentStatus: text("Such as UNFULFILLED"),
	totalPriceSet: object("The total, in shopMoney"),
	tags,
});
const product = answer({
	id: text("gid://shopify/Product/…"),
	title: text("Its title"),
	handle: text("The last part of its address"),
	status: text("ACTIVE, ARCHIVED or DRAFT"),
	tags,
});
const customer = answer({
	id: text("gid://shopify/Customer/…"),
	displayName: text("Full name"),
	defaultEmailAddress: orNull(object("{ emailAddress }")),
	tags,
});
const productFields = {
	descriptionHtml: text("Its description as HTML"),
	vendor: text("The vendor"),
	productType: text("Its type"),
	status: choice(["ACTIVE", "ARCHIVED", "DRAFT"], "Its status"),
	tags,
	handle: text("The last part of its address"),
};
/** GraphQL answers 200 to failures: `errors` of the request, or `userErrors` of the mutation. */
const failure = (mutation?: string): string =>
	mutation === undefined
		? "Shopify: {{data.errors[0].message}}"
		: `Shopify: {{data.errors[0].message | default(data.data.${mutation}.userErrors[0].message)}}`;

const send = (query: string, variables: Record<string, string | object>, mutation?: string) => ({
	method: "POST" as const,
	path: "/graphql.json",
	body: { kind: "json" as const, value: { query, variables: variables as Record<string, string> } },
	error: failure(mutation),
});
const lists = (name: string, fields: string) => ({
	...send(
		`query List($query: String, $first: Int, $after: String) { ${name}(query: $query, first: $first, after: $after, sortKey: UPDATED_AT, reverse: true) { nodes { ${fields} } ${PAGE} } }`,
		pass("query", "first", "after"),
	),
	paginate: {
		by: "cursor" as const,
		cursor: `data.${name}.pageInfo.endCursor`,
		more: `data.${name}.pageInfo.hasNextPage`,
		body: "variables.after",
		items: `data.${name}.nodes`,
	},
});

export const shopify: ApiRecipe = {
	id: "shopify",
	category: "sales",
	title: "Shopify",
	description: "Orders, products and customers of a Shopify shop, with the GraphQL Admin API.",
	auth: "shopify_token",
	base_url: "https://{{credential.shop}}.myshopify.com/admin/api/2026-07",
	docs_url: "https://shopify.dev/docs/api/admin-graphql",
	operations: {
		list_orders: {
			title: "List orders",
			description: "Last changed first. Needs the scope read_orders.",
			...lists("orders", ORDER),
			params: params({}, paging),
			output: {
				value: "{{data.data.orders}}",
				schema: answer({ nodes: list(order, "The orders"), pageInfo }),
			},
			examples: [
				{
					title: "Paid, not sent",
					params: { query: "financial_status:paid fulfillment_status:unfulfilled" },
				},
			],
		},
		get_order: {
			title: "Get an order with its items",
			...send(
				`query GetOrder($id: ID!) { order(id: $id) { ${ORDER} email phone shippingAddress { name address1 address2 zip city countryCodeV2 phone } lineItems(first: 100) { nodes { id title quantity sku originalUnitPriceSet { shopMoney { amount currencyCode } } } } } }`,
				pass("id"),
			),
			params: params({ id: text("The order's id, gid://shopify/Order/…") }),
			output: { value: "{{data.data.order}}", schema: orNull(order) },
			examples: [{ title: "One", params: { id: "gid://shopify/Order/450789469" } }],
		},
		update_order: {
			title: "Update an order",
			description: "Changes only the given fields. Needs the scope write_orders.",
			...send(
				`mutation UpdateOrder($input: OrderInput!) { orderUpdate(input: $input) { order { ${ORDER} } userErrors { field message } } }`,
				{ input: pass("id", "note", "email", "tags") },
				"orderUpdate",
			),
			params: params(
				{ id: text("The order's id") },
				{
					note: text("A note"),
					email: text("The customer's address"),
					tags: { ...tags, description: "Replaces all tags" },
				},
			),
			output: { value: "{{data.data.orderUpdate.order}}", schema: order },
			examples: [{ title: "A note", params: { id: "gid://shopify/Order/450789469", note: "Called back" } }],
		},
		list_products: {
			title: "List products",
			description: "Last changed first. Needs the scope read_products.",
			...lists("products", PRODUCT),
			params: params({}, paging),
			output: {
				value: "{{data.data.products}}",
				schema: answer({ nodes: list(product, "The products"), pageInfo }),
			},
			examples: [{ title: "Active ones", params: { query: "status:active" } }],
		},
		create_product: {
			title: "Create a product",
			description: "Needs the scope write_products.",
			...send(
				`mutation CreateProduct($product: ProductCreateInput!) { productCreate(product: $product) { product { ${PRODUCT} } userErrors { field message } } }`,
				{ product: pass("title", ...Object.keys(productFields)) },
				"productCreate",
			),
			params: params({ title: text("Its title") }, productFields),
			output: { value: "{{data.data.productCreate.product}}", schema: product },
			examples: [{ title: "A draft", params: { title: "Cool socks", status: "DRAFT" } }],
		},
		update_product: {
			title: "Update a product",
			description: "Changes only the given fields. Needs the scope write_products.",
			...send(
				`mutation UpdateProduct($product: ProductUpdateInput!) { productUpdate(product: $product) { product { ${PRODUCT} } userErrors { field message } } }`,
				{ product: pass("id", "title", ...Object.keys(productFields)) },
				"productUpdate",
			),
			params: params({ id: text("The product's id") }, { title: text("A new title"), ...productFields }),
			output: { value: "{{data.data.productUpdate.product}}", schema: product },
			examples: [{ title: "Publish", params: { id: "gid://shopify/Product/108828309", status: "ACTIVE" } }],
		},
		list_customers: {
			title: "List customers",
			description: "Last changed first. Needs the scope read_customers.",
			...lists("customers", CUSTOMER),
			params: params(
				{},
				{ ...paging, query: text("Shopify's search syntax, such as email:ada@example.com") },
			),
			output: {
				value: "{{data.data.customers}}",
				schema: answer({ nodes: list(customer, "The customers"), pageInfo }),
			},
			examples: [{ title: "By address", params: { query: "email:ada@example.com" } }],
		},
		create_customer: {
			title: "Create a customer",
			description: "Needs the scope write_customers.",
			...send(
				`mutation CreateCustomer($input: CustomerInput!) { customerCreate(input: $input) { customer { ${CUSTOMER} } userErrors { field message } } }`,
				{ input: pass("email", "firstName", "lastName", "phone", "note", "tags") },
				"customerCreate",
			),
			params: params(
				{ email: text("E-mail address") },
				{
					firstName: text("First name"),
					lastName: text("Last name"),
					phone: text("Telephone number with country code"),
					note: text("A note"),
					tags,
				},
			),
			output: { value: "{{data.data.customerCreate.customer}}", schema: customer },
			examples: [
				{ title: "One", params: { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" } },
			],
		},
		add_tags: {
			title: "Add tags",
			description: "To an order, a product or a customer.",
			...send(
				"mutation AddTags($id: ID!, $tags: [String!]!) { tagsAdd(id: $id, tags: $tags) { node { id } userErrors { field message } } }",
				pass("id", "tags"),
				"tagsAdd",
			),
			params: params({
				id: text("The id, gid://shopify/…"),
				tags: list(text("A tag"), "Tags", { minItems: 1 }),
			}),
			output: { value: "{{data.data.tagsAdd.node}}", schema: answer({ id: text("The id") }) },
			examples: [{ title: "An order", params: { id: "gid://shopify/Order/450789469", tags: ["checked"] } }],
		},
		graphql: {
			title: "Run any GraphQL query or mutation",
			description: "userErrors of a mutation do not fail the node: read them from the output.",
			method: "POST",
			path: "/graphql.json",
			params: params(
				{ query: text("The query or mutation") },
				{ variables: object("Its variables by name") },
			),
			body: { kind: "json", value: pass("query", "variables") },
			error: failure(),
			output: { value: "{{data.data}}", schema: answer({}) },
			examples: [{ title: "The shop", params: { query: "{ shop { name currencyCode } }" } }],
		},
	},
};
