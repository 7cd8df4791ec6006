import { toExchanges } from "../exchange.ts";

const ORDER_FIELDS =
	"id name createdAt displayFinancialStatus displayFulfillmentStatus totalPriceSet { shopMoney { amount currencyCode } } customer { id displayName defaultEmailAddress { emailAddress } } note tags";
const PRODUCT_FIELDS =
	"id title handle status vendor productType tags totalInventory onlineStoreUrl updatedAt";
const CUSTOMER_FIELDS =
	"id displayName firstName lastName defaultEmailAddress { emailAddress } defaultPhoneNumber { phoneNumber } numberOfOrders tags";
const list = (name: string, fields: string) =>
	`query List($query: String, $first: Int, $after: String) { ${name}(query: $query, first: $first, after: $after, sortKey: UPDATED_AT, reverse: true) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
const pageInfo = { hasNextPage: false, endCursor: null };
const ID = "gid://shopify/Order/450789469";
const PRODUCT = "gid://shopify/Product/108828309";
const order = {
	id: ID,
	name: "#1001",
	displayFinancialStatus: "PAID",
	displayFulfillmentStatus: "UNFULFILLED",
	totalPriceSet: { shopMoney: { amount: "12.50", currencyCode: "EUR" } },
	tags: [],
};
const product = { id: PRODUCT, title: "Cool socks", handle: "cool-socks", status: "DRAFT", tags: ["sale"] };
const customer = {
	id: "gid://shopify/Customer/1",
	displayName: "Ada Lovelace",
	defaultEmailAddress: { emailAddress: "ada@example.com" },
	tags: [],
};
const sends = "POST /graphql.json";

export const shopify = toExchanges(
	{
		id: "shopify",
		authRecipe: "shopify_token",
		fields: { shop: "acme", token: "shpat_test" },
		base: "https://acme.myshopify.com/admin/api/2026-07",
		headers: { "x-shopify-access-token": "shpat_test" },
	},
	{
		list_orders: {
			params: { query: "financial_status:paid", first: 10, after: "c1" },
			sends,
			json: {
				query: list("orders", ORDER_FIELDS),
				variables: { query: "financial_status:paid", first: 10, after: "c1" },
			},
			answer: { data: { orders: { nodes: [order], pageInfo } } },
			output: { nodes: [order], pageInfo },
		},
		get_order: {
			params: { id: ID },
			sends,
			json: {
				query: `query GetOrder($id: ID!) { order(id: $id) { ${ORDER_FIELDS} email phone shippingAddress { name address1 address2 zip city countryCodeV2 phone } lineItems(first: 100) { nodes { id title quantity sku originalUnitPriceSet { shopMoney { amount currencyCode } } } } } }`,
				variables: { id: ID },
			},
			answer: { data: { order } },
			output: order,
		},
		update_order: {
			params: { id: ID, note: "Called back" },
			sends,
			json: {
				query: `mutation UpdateOrder($input: OrderInput!) { orderUpdate(input: $input) { order { ${ORDER_FIELDS} } userErrors { field message } } }`,
				variables: { input: { id: ID, note: "Called back" } },
			},
			answer: { data: { orderUpdate: { order, userErrors: [] } } },
			output: order,
		},
		list_products: {
			params: { query: "status:active" },
			sends,
			json: { query: list("products", PRODUCT_FIELDS), variables: { query: "status:active", first: 50 } },
			answer: { data: { products: { nodes: [product], pageInfo } } },
			output: { nodes: [product], pageInfo },
		},
		create_product: {
			params: { title: "Cool socks", status: "DRAFT", tags: ["sale"] },
			sends,
			json: {
				query: `mutation CreateProduct($product: ProductCreateInput!) { productCreate(product: $product) { product { ${PRODUCT_FIELDS} } userErrors { field message } } }`,
				variables: { product: { title: "Cool socks", status: "DRAFT", tags: ["sale"] } },
			},
			answer: { data: { productCreate: { product, userErrors: [] } } },
			output: product,
		},
		update_product: {
			params: { id: PRODUCT, descriptionHtml: "<p>Warm</p>" },
			sends,
			json: {
				query: `mutation UpdateProduct($product: ProductUpdateInput!) { productUpdate(product: $product) { product { ${PRODUCT_FIELDS} } userErrors { field message } } }`,
				variables: { product: { id: PRODUCT, descriptionHtml: "<p>Warm</p>" } },
			},
			answer: { data: { productUpdate: { product, userErrors: [] } } },
			output: product,
		},
		list_customers: {
			params: { query: "email:ada@example.com" },
			sends,
			json: {
				query: list("customers", CUSTOMER_FIELDS),
				variables: { query: "email:ada@example.com", first: 50 },
			},
			answer: { data: { customers: { nodes: [customer], pageInfo } } },
			output: { nodes: [customer], pageInfo },
		},
		create_customer: {
			params: { email: "ada@example.com", firstName: "Ada" },
			sends,
			json: {
				query: `mutation CreateCustomer($input: CustomerInput!) { customerCreate(input: $input) { customer { ${CUSTOMER_FIELDS} } userErrors { field message } } }`,
				variables: { input: { email: "ada@example.com", firstName: "Ada" } },
			},
			answer: { data: { customerCreate: { customer, userErrors: [] } } },
			output: customer,
		},
		add_tags: {
			params: { id: ID, tags: ["checked"] },
			sends,
			json: {
				query:
					"mutation AddTags($id: ID!, $tags: [String!]!) { tagsAdd(id: $id, tags: $tags) { node { id } userErrors { field message } } }",
				variables: { id: ID, tags: ["checked"] },
			},
			answer: { data: { tagsAdd: { node: { id: ID }, userErrors: [] } } },
			output: { id: ID },
		},
		graphql: {
			params: { query: "query Shop { shop { name } }" },
			sends,
			json: { query: "query Shop { shop { name } }" },
			answer: { data: { shop: { name: "Acme" } } },
			output: { shop: { name: "Acme" } },
		},
	},
);
