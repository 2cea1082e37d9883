"""What only queries have is read as people mean it."""
