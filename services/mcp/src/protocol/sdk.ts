/** The parts of the SDK in use, in a module of their own so that they can be loaded lazily. */
export { createMcpHandler, Server } from "@modelcontextprotocol/server";
