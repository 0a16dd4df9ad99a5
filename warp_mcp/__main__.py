"""`python -m warp_mcp` is `warp-mcp`."""

from warp_mcp.cli import main

if __name__ == "__main__":
    main()
